import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { openRepository } from './git-repository.ts';
import { makeOwnFolder } from './notebook-folder.ts';

it('several who make the repository of a new notebook at once all get it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-codex-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  makeOwnFolder(folder);
  const opened = await Promise.all(Array.from({ length: 6 }, () => openRepository(folder)));
  expect(new Set(opened.map(({ gitDir }) => gitDir)).size).toBe(1);
});
