import { createHash } from 'node:crypto';

import { KIBIBYTE, MEBIBYTE } from '@holdfast/base';

import type { PendingRow } from '../model/git/pending-row.ts';
import { readStaged } from './blobs.ts';
import type { Repository } from './git-repository.ts';
import { Tree } from './tree.ts';

/** Small content is kept in memory for the import; larger content is read twice to save memory. */
const KEPT_EACH_MAX = 256 * KIBIBYTE;
const KEPT_MAX = 64 * MEBIBYTE;

/** Staged content of a batch, and its git ids. */
export class StagedBlobs {
  readonly #tree: Tree;
  readonly #format: string;
  readonly #ids = new Map<string, string>();
  readonly #kept = new Map<string, Uint8Array>();
  #keptBytes = 0;

  constructor({ folder, objectFormat }: Repository) {
    this.#tree = new Tree(folder);
    this.#format = objectFormat;
  }

  async prepare(row: PendingRow): Promise<void> {
    const { hash = '' } = row;
    if (this.#ids.has(hash)) return;
    const bytes = await this.content(row);
    this.#ids.set(hash, gitBlobId(bytes, this.#format));
    if (bytes.length > KEPT_EACH_MAX || this.#keptBytes + bytes.length > KEPT_MAX) return;
    this.#kept.set(hash, bytes);
    this.#keptBytes += bytes.length;
  }

  id({ hash = '' }: PendingRow): string {
    return this.#ids.get(hash) ?? '';
  }

  async content(row: PendingRow): Promise<Uint8Array> {
    const { hash = '', size, inline } = row;
    return this.#kept.get(hash) ?? readStaged(this.#tree, { hash, size }, inline);
  }

  [Symbol.dispose](): void {
    this.#tree.close();
  }
}

export function gitBlobId(bytes: Uint8Array, objectFormat: string): string {
  return createHash(objectFormat).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
