import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { openHarness, WAIT_MS } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const program = resolve(import.meta.dirname, '../../test/programs/link-swapper.ts');
const FILES = 400;

it('not one byte gets out of the notebook while somebody swaps a folder on the way for a link', async () => {
  const { engine, notebook, home } = await openHarness();
  const outside = join(home, 'outside');
  mkdirSync(outside);
  mkdirSync(join(notebook.path, 'way'));
  const swapper = spawn(process.execPath, ['--import', tsx, program, join(notebook.path, 'way'), outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await new Promise((started) => {
    swapper.stdout.once('data', started);
  });
  const outcomes = await Promise.all(
    Array.from({ length: FILES }, async (_, n) => {
      const path = notebookPath(`way/f${n}.md`);
      const requests = [{ type: 'create', path, content: Buffer.from('inside') }] as const;
      const [event] = await engine.run({ notebookId: notebook.id, author: 'Ada', requests }, WAIT_MS);
      return event?.status ?? 'missing';
    }),
  );
  swapper.kill('SIGKILL');
  expect(readdirSync(outside)).toEqual([]);
  // Each was either done in the real folder, or refused.
  expect(outcomes.filter((status) => status !== 'completed' && status !== 'failed')).toEqual([]);
});
