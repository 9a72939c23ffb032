import { KIBIBYTE } from '@holdfast/base';

import { git } from './git.ts';

export interface DiffRequest {
  /** The repository, or the worktree of a running attempt. */
  readonly folder: string;
  readonly from: string;
  /** Default: the working tree, committed or not. */
  readonly to?: string | undefined;
}

interface ChangedFile {
  readonly path: string;
  /** Lines; null for binary and untracked files. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface Diff {
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  /** Whether the patch was truncated. */
  readonly is_cut: boolean;
}

const PATCH_MAX = 512 * KIBIBYTE;
/** No renames, which would give one file two names, and no look into submodules, which would run git there. */
const plain = ['--no-color', '--no-renames', '--ignore-submodules=dirty'] as const;

export async function readDiff({ folder, from, to }: DiffRequest): Promise<Diff> {
  const range = to === undefined ? [from] : [from, to];
  const [numbers, patch, untracked] = await Promise.all([
    git(folder, ['diff', ...plain, '--numstat', '-z', ...range, '--']),
    git(folder, ['diff', ...plain, ...range, '--']),
    to === undefined ? git(folder, ['ls-files', '--others', '--exclude-standard', '-z']) : '',
  ]);
  const files = [
    ...entries(numbers).map(changedFile),
    ...entries(untracked).map((path) => ({ path, added: null, removed: null })),
  ];
  return { files, patch: patch.slice(0, PATCH_MAX), is_cut: patch.length > PATCH_MAX };
}

function entries(text: string): string[] {
  return text.split('\0').filter((entry) => entry !== '');
}

function changedFile(line: string): ChangedFile {
  const [added = '-', removed = '-', ...path] = line.split('\t');
  return { path: path.join('\t'), added: linesOf(added), removed: linesOf(removed) };
}

function linesOf(text: string): number | null {
  return text === '-' ? null : Number(text);
}
