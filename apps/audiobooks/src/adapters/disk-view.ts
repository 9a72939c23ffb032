import { join } from 'node:path';

import { listFolder } from './list-folder.ts';

export interface DiskView {
  /** Returns an empty map if the folder does not exist. Does not follow links. */
  entries(folder: string): Promise<ReadonlyMap<string, 'file' | 'folder' | 'link'>>;
}

/** Caches the listing of each folder. */
export function diskView(root: string): DiskView {
  const listed = new Map<string, Promise<ReadonlyMap<string, 'file' | 'folder' | 'link'>>>();
  const list = async (folder: string): Promise<ReadonlyMap<string, 'file' | 'folder' | 'link'>> => {
    const { folders, files, links } = await listFolder(join(root, folder));
    return new Map([
      ...folders.map((name) => [name, 'folder'] as const),
      ...files.map((name) => [name, 'file'] as const),
      ...links.map((name) => [name, 'link'] as const),
    ]);
  };
  return {
    entries(folder) {
      const known = listed.get(folder) ?? list(folder);
      listed.set(folder, known);
      return known;
    },
  };
}
