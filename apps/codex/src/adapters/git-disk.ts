import { EXECUTABLE_MODE, FILE_MODE, type TreeEntry } from '../git/tree-entry.ts';
import { codexErrors } from '../model/errors.ts';
import { readFile } from './file-content.ts';
import { gitBlobId } from './git-content.ts';
import type { Repository } from './git-repository.ts';
import { Tree } from './tree.ts';

/** What git would say of a file as it lies on disk now; undefined when there is no plain file. */
export async function entryOnDisk({ folder, objectFormat }: Repository, path: string): Promise<TreeEntry | undefined> {
  using tree = new Tree(folder);
  try {
    const { bytes, state } = await readFile(tree, path);
    return { mode: (state.mode & 0o100) === 0 ? FILE_MODE : EXECUTABLE_MODE, oid: gitBlobId(bytes, objectFormat) };
  } catch (error) {
    if (isNoPlainFile(error)) return undefined;
    throw error;
  }
}

function isNoPlainFile(error: unknown): boolean {
  const { code } = error as { code?: string };
  const codes: readonly (string | undefined)[] = [
    codexErrors.FILE_NOT_FOUND.code,
    codexErrors.FILE_EXISTS.code,
    codexErrors.PATH_LINK.code,
  ];
  return codes.includes(code);
}
