import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { bundledProgram } from '../../../../packages/base/test/bundled-program.ts';
import { openHarness, WAIT_MS } from '../../test/harness.ts';
import { notebookPath } from '../model/path.ts';

const program = resolve(import.meta.dirname, '../../test/programs/link-swapper.ts');
const FILES = 400;

it('not one byte gets out of the notebook while somebody swaps a folder on the way for a link', async () => {
  const { codex, notebook, home } = await openHarness();
  const outside = join(home, 'outside');
  mkdirSync(outside);
  mkdirSync(join(notebook.path, 'way'));
  const swapper = spawn(process.execPath, [bundledProgram(program), join(notebook.path, 'way'), outside], {
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
      const [event] = await codex.run({ notebookId: notebook.id, author: 'Ada', requests }, WAIT_MS);
      return event?.status ?? 'missing';
    }),
  );
  swapper.kill('SIGKILL');
  expect(readdirSync(outside)).toEqual([]);
  // Each operation either wrote to the real folder or was refused.
  expect(outcomes.filter((status) => status !== 'completed' && status !== 'failed')).toEqual([]);
});
