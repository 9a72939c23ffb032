import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileDurably } from '@holdfast/base';

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
    return readFile(this.#path(name)).catch(() => undefined);
  }

  /** Durable, because a picture cut short would be served until its version changes. Removes other versions. */
  async put(name: PictureName, bytes: Uint8Array): Promise<void> {
    const folder = this.#bucket(name);
    const path = this.#path(name);
    await writeFileDurably(path, bytes);
    for (const other of await readdir(folder)) {
      const isOld = other.startsWith(`${formOf(name)}.`) && join(folder, other) !== path;
      if (isOld) await rm(join(folder, other), { force: true });
    }
  }

  /** Ids are time-ordered, so their ends spread them best. */
  #bucket({ id }: PictureName): string {
    return join(this.#folder, id.slice(-2));
  }

  #path(name: PictureName): string {
    return join(this.#bucket(name), `${formOf(name)}.${name.version}.${name.format}`);
  }
}

function formOf({ id, size, format }: PictureName): string {
  return `${id}.${size}.${format}`;
}
