import { closeSync, createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openFolder, openFolderBeneath } from '@holdfast/base';

/**
 * Lists the files in a library folder, excluding links. Returns an empty list if the folder is missing or reached
 * through a link.
 */
export function filesIn(root: string, folder: string): readonly string[] {
  try {
    // `openFolderBeneath` opens only the parent of the last name, so `-` need not exist.
    const { fd, place } = folder === '' ? openFolder(root) : openFolderBeneath(root, `${folder}/-`).folder;
    try {
      return readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
    } finally {
      closeSync(fd);
    }
  } catch {
    return [];
  }
}

/** Copies an open file to a new file; fails if the new file exists. Closes the descriptor. */
export async function saveCopy(fd: number, to: string): Promise<void> {
  await pipeline(createReadStream('', { fd }), createWriteStream(to, { flags: 'wx' }));
}
