import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { PictureFormat } from './shrink-picture.ts';

/** One form of one version of one picture. */
export interface PictureName {
  readonly id: string;
  readonly version: string;
  readonly size: number;
  readonly format: PictureFormat;
}

/** Pictures that were made once, in a folder that may be thrown away at any time. */
export class PictureCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(name: PictureName): Promise<Uint8Array | undefined> {
    return readFile(this.#place(name)).catch(() => undefined);
  }

  /** The whole picture or none, also when the process dies meanwhile; other versions of it go. */
  async put(name: PictureName, bytes: Uint8Array): Promise<void> {
    const folder = this.#bucket(name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const place = this.#place(name);
    const unfinished = join(folder, `.${randomBytes(8).toString('hex')}`);
    try {
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, place);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    for (const other of await readdir(folder)) {
      const isOld = other.startsWith(`${formOf(name)}.`) && join(folder, other) !== place;
      if (isOld) await rm(join(folder, other), { force: true });
    }
  }

  /** Ids are time-ordered, so their ends spread them best. */
  #bucket({ id }: PictureName): string {
    return join(this.#folder, id.slice(-2));
  }

  #place(name: PictureName): string {
    return join(this.#bucket(name), `${formOf(name)}.${name.version}.${name.format}`);
  }
}

function formOf({ id, size, format }: PictureName): string {
  return `${id}.${size}.${format}`;
}
