import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { listFiles } from '../store/files.ts';
import { registerNotebook } from './notebooks.ts';

test('a new notebook in a folder that the repository around it hides is watched from its first moment', async () => {
  const around = mkdtempSync(join(tmpdir(), 'holdfast-around-'));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q'], { cwd: around });
  writeFileSync(join(around, '.gitignore'), '/inner\n');
  const { codex } = await openHarness({ settings: { watch: true } });
  const notebook = await registerNotebook(codex, { name: 'inner', path: join(around, 'inner') });
  await expect.poll(async () => (await codex.watchers.status(notebook.id))?.watching).toBe(true);
  writeFileSync(join(notebook.path, 'note.md'), 'by hand');
  const paths = (): readonly string[] =>
    listFiles(codex.store.reader, notebook.id, { limit: 10 }).map(({ path }) => path);
  await expect.poll(paths, { timeout: 20_000 }).toEqual(['note.md']);
});
