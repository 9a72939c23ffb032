import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

import { isHoldfastError } from '@holdfast/base';

import { EXECUTABLE_MODE, FILE_MODE, type TreeEntry } from '../model/git/tree-entry.ts';
import type { DiskState } from '../model/intent.ts';
import { gitBlobId } from './git-content.ts';
import type { Repository } from './git-repository.ts';
import { Tree } from './tree.ts';

/** Files of a notebook on disk, as git would see them. */
export class FilesOnDisk {
  readonly #tree: Tree;
  readonly #format: string;

  constructor({ folder, objectFormat }: Repository) {
    this.#tree = new Tree(folder);
    this.#format = objectFormat;
  }

  /** Undefined if there is neither a file nor a folder. */
  state(path: string): DiskState | undefined {
    try {
      return this.#tree.state(path);
    } catch (error) {
      // A link or a file is in the way.
      if (isHoldfastError(error)) return undefined;
      throw error;
    }
  }

  /** Undefined if there is no regular file. */
  entry(path: string): TreeEntry | undefined {
    if (this.state(path)?.kind !== 'file') return undefined;
    const place = this.#tree.place(path);
    if (place === undefined) return undefined;
    let descriptor: number;
    try {
      descriptor = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
    try {
      const mode = (fstatSync(descriptor).mode & 0o100) === 0 ? FILE_MODE : EXECUTABLE_MODE;
      return { mode, oid: gitBlobId(readFileSync(descriptor), this.#format) };
    } finally {
      closeSync(descriptor);
    }
  }

  [Symbol.dispose](): void {
    this.#tree.close();
  }
}
