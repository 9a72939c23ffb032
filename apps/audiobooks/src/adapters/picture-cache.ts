import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileDurably } from '@holdfast/base';

import type { PictureFormat } from './shrink-picture.ts';

/** One size and format of one version of a picture. */
export interface PictureName {
  readonly id: string;
  readonly version: string;
  readonly size: number;
  readonly format: PictureFormat;
}

/** Caches resized pictures in a folder that may be deleted at any time. */
export class PictureCache {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(name: PictureName): Promise<Uint8Array | undefined> {
    return readFile(this.#path(name)).catch(() => undefined);
  }

  /** Writes durably, because a truncated picture would be served until its version changes. Removes other versions. */
  async put(name: PictureName, bytes: Uint8Array): Promise<void> {
    const folder = this.#bucket(name);
    const path = this.#path(name);
    await writeFileDurably(path, bytes);
    for (const other of await readdir(folder)) {
      const isOld = other.startsWith(`${formOf(name)}.`) && join(folder, other) !== path;
      if (isOld) await rm(join(folder, other), { force: true });
    }
  }

  /** Ids start with a timestamp, so their last characters distribute best. */
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
