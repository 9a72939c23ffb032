import { basename } from 'node:path';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/library.ts';
import { libraries } from '../store/definitions.ts';
import { type Catalogue, makerOf } from './catalogue.ts';

/** The library at a folder; a new folder becomes one. `root` is the real path. */
export function libraryAt(catalogue: Catalogue, root: string): Promise<Library> {
  const { at, newId } = makerOf(catalogue);
  return catalogue.store.transact(async (transaction) => {
    const known = await transaction.find(libraries.by.root, { root });
    if (known !== undefined) return known;
    const library: Library = {
      id: newId(),
      root,
      name: basename(root) || root,
      created_at: at,
      scanned_at: null,
      version: 1,
    };
    await transaction.put(libraries, { id: library.id }, library);
    return library;
  });
}

export function listLibraries({ store }: Catalogue): Promise<readonly Library[]> {
  return store.list(libraries, {});
}

export async function libraryById({ store }: Catalogue, id: string): Promise<Library> {
  const library = await store.get(libraries, { id });
  if (library === undefined) throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${id}.`);
  return library;
}

export async function noteScanned(catalogue: Catalogue, id: string): Promise<void> {
  const { at } = makerOf(catalogue);
  await catalogue.store.transact((transaction) =>
    transaction.update(libraries, { id }, (library) => ({ ...library, scanned_at: at })),
  );
}
