import { closeSync, constants } from 'node:fs';
import { open } from 'node:fs/promises';

import { openFolderBeneath } from '@holdfast/base';

import { LIMITS } from '../media/found.ts';
import { probe } from '../media/probe.ts';
import type { CoverSource } from '../model/scanned.ts';
import { openSource } from './file-source.ts';

/**
 * Reads the current bytes of a cover, from its own file or inside an audio file. Returns undefined if it is gone or
 * reached through a link.
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

/** Locates the picture again, because tags may have changed since the scan. */
async function pictureInside(path: string): Promise<Uint8Array | undefined> {
  const source = await openSource(path);
  try {
    return await (await probe(source)).cover?.bytes();
  } finally {
    await source.close();
  }
}
