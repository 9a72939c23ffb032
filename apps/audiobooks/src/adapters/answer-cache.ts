import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY, MEBIBYTE, writeFileDurably } from '@holdfast/base';

const BYTES_MAX = 64 * MEBIBYTE;

/** Caches provider responses for one day, in a folder that may be deleted at any time. */
export class AnswerCache {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    try {
      const path = this.#path(key);
      const { mtimeMs } = await stat(path);
      return this.#now() - mtimeMs < DAY ? await readFile(path) : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Stores a response. If the cache exceeds its limit, removes the oldest responses. Does not fail if the disk is full.
   */
  async put(key: string, bytes: Uint8Array): Promise<void> {
    try {
      await writeFileDurably(this.#path(key), bytes);
      await this.#prune();
    } catch {
      // If a response is not cached, the next request simply asks the provider again.
    }
  }

  async #prune(): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.#folder)).map(async (name) => {
        const { mtimeMs, size } = await stat(join(this.#folder, name));
        return { name, mtimeMs, size };
      }),
    );
    let total = 0;
    for (const { name, size } of files.sort((left, right) => right.mtimeMs - left.mtimeMs)) {
      total += size;
      if (total > BYTES_MAX) await rm(join(this.#folder, name), { force: true });
    }
  }

  #path(key: string): string {
    return join(this.#folder, createHash('sha256').update(key, 'utf8').digest('hex'));
  }
}
