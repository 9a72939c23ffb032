import { resolve } from 'node:path';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/library.ts';
import { libraryRoot } from '../adapters/library-root.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { listLibraries } from '../service/libraries.ts';
import { resolveBook } from '../service/queries/resolve.ts';

/** The one that was named, else the one of the first book, else the only one. */
export async function chosenLibrary(
  audiobooks: Audiobooks,
  named: string | undefined,
  books: readonly string[],
): Promise<Library> {
  const all = await listLibraries(audiobooks);
  const [first] = books;
  if (named !== undefined) return namedLibrary(all, named);
  if (first !== undefined) {
    const book = await resolveBook(audiobooks.store, first);
    const found = all.find(({ id }) => id === book.library_id);
    if (found !== undefined) return found;
  }
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  throw audiobookErrors.LIBRARY_NOT_FOUND(
    all.length === 0 ? 'There is no library yet.' : 'There are several libraries.',
    {
      hint: all.length === 0 ? 'Scan a folder first.' : 'Choose one with --library.',
    },
  );
}

/** By its id, its name or its folder, which may be gone. */
export function namedLibrary(all: readonly Library[], named: string): Library {
  const sameName = all.filter(({ name }) => name === named);
  const found =
    all.find(({ id, root }) => id === named.toUpperCase() || root === resolve(named)) ??
    (sameName.length === 1 ? sameName[0] : undefined) ??
    all.find(({ root }) => root === libraryRoot(named));
  if (found !== undefined) return found;
  throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${named}.`);
}
