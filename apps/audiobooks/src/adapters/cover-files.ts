import { closeSync, constants } from 'node:fs';
import { open, readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openFolderBeneath, syncFolder, writeFileDurably } from '@holdfast/base';
import { LIMITS } from '../media/tags.ts';
import { probe } from '../media/probe.ts';
import type { CoverSource } from '../model/scanned.ts';
import { openSource } from './file-source.ts';
import { folderInside, inside } from './library-files.ts';
import type { ImageFormat } from './resize-image.ts';

export interface PictureName {
  readonly id: string;
  readonly version: string;
  readonly size: number;
  readonly format: ImageFormat;
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

  /**
   * Writes the picture durably, because a truncated one would be served until its version changes. Removes the
   * picture's other versions.
   */
  async put(name: PictureName, bytes: Uint8Array): Promise<void> {
    const folder = this.#bucket(name);
    const path = this.#path(name);
    await writeFileDurably(path, bytes);
    for (const other of await readdir(folder)) {
      const isOld = other.startsWith(`${formOf(name)}.`) && join(folder, other) !== path;
      if (isOld) await rm(join(folder, other), { force: true });
    }
  }

  /**
   * Derives the bucket from the end of the id. The id starts with a timestamp, which would put many new covers into the
   * same bucket.
   */
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

/**
 * Reads the current bytes of a cover from its picture file or from inside an audio file. Returns undefined if that file
 * no longer exists or is reached through a link.
 */
export async function readCover(
  root: string,
  cover: Pick<CoverSource, 'kind' | 'path'>,
): Promise<Uint8Array | undefined> {
  try {
    const { folder, name } = openFolderBeneath(root, cover.path);
    try {
      const place = `${folder.place}/${name}`;
      return cover.kind === 'file' ? await pictureFile(place) : await pictureInside(place);
    } finally {
      closeSync(folder.fd);
    }
  } catch {
    return undefined;
  }
}

async function pictureFile(path: string): Promise<Uint8Array | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= LIMITS.pictureBytes ? await handle.readFile() : undefined;
  } finally {
    await handle.close();
  }
}

/** Finds the picture's position in the file again, because the tags may have changed since the scan. */
async function pictureInside(path: string): Promise<Uint8Array | undefined> {
  const source = await openSource(path);
  try {
    return await (await probe(source)).cover?.bytes();
  } finally {
    await source.close();
  }
}

/** Writes a new file durably; fails if the file exists. */
export async function savePicture(root: string, path: string, bytes: Uint8Array): Promise<void> {
  const full = await folderInside(root, path);
  const handle = await open(full, 'wx', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(full));
}

export async function deletePicture(root: string, path: string): Promise<void> {
  await rm(inside(root, path), { force: true });
}
