import { expect } from 'vitest';

import { filesInCommit, filesOnDisk, gitIn } from './git-notebook.ts';

/** Expects HEAD, working tree and index to agree, and git to find no errors. */
export function expectClean({ folder }: { readonly folder: string }): void {
  expect(filesInCommit(folder)).toEqual(filesOnDisk(folder));
  expect(gitIn(folder, 'status', '--porcelain')).toBe('');
  expectSound(folder);
}

export function expectSound(folder: string): void {
  expect(gitIn(folder, 'fsck', '--strict', '--no-dangling').trim()).toBe('');
}
