import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { isWithin, systemErrorCode } from '@holdfast/base';
import { httpErrors } from '@holdfast/http';

export interface FolderList {
  /** The folder whose content is listed; null if `folders` contains the offered folders themselves. */
  readonly path: string | null;
  readonly parent: string | null;
  readonly folders: readonly { readonly name: string; readonly path: string }[];
}

const LISTED_MAX = 1_000;

/** Lists the folders inside a folder, so that people can choose one. Stays in the offered folders, and skips links. */
export class Folders {
  readonly #roots: readonly string[];

  constructor(roots: readonly string[]) {
    this.#roots = roots.flatMap((root) => {
      const real = realPath(root);
      return real === undefined ? [] : [real];
    });
  }

  /** The first of the offered folders. */
  get first(): string | undefined {
    return this.#roots[0];
  }

  list(path: string | undefined): FolderList {
    const [only] = this.#roots;
    if (path === undefined && this.#roots.length !== 1) {
      return { path: null, parent: null, folders: this.#roots.map((root) => ({ name: root, path: root })) };
    }
    const wanted = path ?? only ?? '';
    const real = realPath(wanted);
    const root = this.#roots.find((each) => real !== undefined && isWithin(real, each));
    if (real === undefined || root === undefined) throw notOffered(wanted);
    const parent = real === root ? null : dirname(real);
    return { path: real, parent, folders: foldersIn(real) };
  }
}

function foldersIn(path: string): FolderList['folders'] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => ({ name, path: join(path, name) }))
      .toSorted((left, right) => left.name.localeCompare(right.name))
      .slice(0, LISTED_MAX);
  } catch (error) {
    throw notOffered(`${path} (${systemErrorCode(error)})`, error);
  }
}

function notOffered(path: string, cause?: unknown): Error {
  return httpErrors.FOLDER_NOT_OFFERED(`The folder ${path} is not available here`, { cause });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
