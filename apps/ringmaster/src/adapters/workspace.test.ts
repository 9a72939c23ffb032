import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { temporaryFolder } from '../../test/harness.ts';
import { findRoot } from './workspace.ts';

it('finds the workspace from a worktree whose branch contains ringmaster.toml', () => {
  const root = temporaryFolder();
  const worktree = join(root, '.ringmaster/worktrees/bd-1-a1');
  mkdirSync(join(worktree, 'packages/shop'), { recursive: true });
  for (const folder of [root, worktree, join(worktree, 'packages/shop')]) {
    writeFileSync(join(folder, 'ringmaster.toml'), '');
  }
  expect(findRoot(worktree)).toBe(root);
  expect(findRoot(join(worktree, 'packages/shop'))).toBe(root);
});

it('finds a workspace that somebody initialised in a worktree', () => {
  const worktree = join(temporaryFolder(), '.ringmaster/worktrees/bd-1-a1');
  mkdirSync(join(worktree, '.ringmaster'), { recursive: true });
  expect(findRoot(join(worktree, 'src'))).toBe(worktree);
});
