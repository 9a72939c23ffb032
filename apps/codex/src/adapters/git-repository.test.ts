import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { currentBranch, openRepository } from './git-repository.ts';
import { makeOwnFolder } from './notebook-folder.ts';

it('several who make the repository of a new notebook at once all get it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-codex-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  makeOwnFolder(folder);
  const opened = await Promise.all(Array.from({ length: 24 }, () => openRepository(folder)));
  expect(new Set(opened.map(({ gitDir }) => gitDir)).size).toBe(1);
});

it('a repository whose HEAD a power cut emptied is completed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-codex-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  makeOwnFolder(folder);
  const { gitDir } = await openRepository(folder);
  writeFileSync(join(gitDir, 'HEAD'), '');
  const repository = await openRepository(folder);
  await expect(currentBranch(repository)).resolves.toBe('refs/heads/main');
});
