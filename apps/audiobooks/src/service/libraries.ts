import { basename, isAbsolute, resolve } from 'node:path';
import type { Caller } from '@holdfast/operation';
import { isWithin, sensitiveFolder } from '@holdfast/base';
import { libraryRoot, realRoot } from '../adapters/library-root.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { Library } from '../model/records.ts';
import { writeBook } from '../store/books.ts';
import { books, libraries } from '../store/definitions.ts';
import { type Audiobooks, stampFor } from './audiobooks.ts';
import { type Listener, listenerOf } from './listener.ts';
import type { ByLibrary } from '../operations/fields.ts';
import { countOf } from './queries/browse-books.ts';
import { resolveBook } from './queries/resolve.ts';

/** Returns the library for a folder; creates or restores it if necessary. `root` is the folder's real path. */
export async function libraryAt(audiobooks: Audiobooks, root: string, name?: string): Promise<Library> {
  const { at, newId } = stampFor(audiobooks);
  const removed = await audiobooks.store.find(libraries.by.root, { root });
  // Restores the books before the library. If the process stops in between, the library is still marked as removed, and
  // the next call continues.
  if (removed !== undefined && removed.removed_at !== null)
    await markBooks(audiobooks, removed.id, removed.removed_at, null);
  return audiobooks.store.transact(async (tx) => {
    const known = await tx.find(libraries.by.root, { root });
    if (known !== undefined && known.removed_at === null) return known;
    const made: Library = known ?? {
      id: newId(),
      root,
      name: name ?? (basename(root) || root),
      created_at: at,
      scanned_at: null,
      removed_at: null,
      version: 1,
    };
    const back: Library = { ...made, removed_at: null };
    await tx.put(libraries, { id: back.id }, back);
    return back;
  });
}

/**
 * Makes a folder a library. The folder must not overlap the data home or another library, because a file has only one
 * library.
 */
export async function addLibraryAt(audiobooks: Audiobooks, path: string, name?: string): Promise<Library> {
  const known = await allLibraries(audiobooks);
  // The folder of a known library may be missing because its disk is not mounted. The next scan reports that.
  const same = known.find((library) => library.root === resolve(path));
  if (same !== undefined) return same;
  const root = libraryRoot(path);
  if (!known.some((library) => library.root === root)) refuseOverlap(known, root, libraryRoot(audiobooks.home));
  return libraryAt(audiobooks, root, name);
}

function refuseOverlap(known: readonly Library[], root: string, home: string): void {
  const problem = sensitiveFolder(root);
  if (problem !== undefined) throw audiobookErrors.LIBRARY_FOLDER(`${root} cannot be a library: ${problem}.`);
  if (isWithin(root, home) || isWithin(home, root)) {
    throw audiobookErrors.LIBRARY_OVERLAPS('This folder contains the Holdfast data home, or is inside it.');
  }
  for (const library of known) {
    if (isWithin(root, library.root)) {
      throw audiobookErrors.LIBRARY_OVERLAPS(`This folder is inside the library ${library.name}.`, {
        hint: `Scan ${library.root} instead; unchanged files are not read again.`,
      });
    }
    if (isWithin(library.root, root)) {
      throw audiobookErrors.LIBRARY_OVERLAPS(`This folder contains the library ${library.name}.`);
    }
  }
}

export async function allLibraries({ reader }: Audiobooks): Promise<readonly Library[]> {
  return (await reader.list(libraries, {})).filter(({ removed_at: removed }) => removed === null);
}

/** Finds a library by id, name or folder, even if the folder no longer exists. */
export async function findLibrary(audiobooks: Audiobooks, given: string): Promise<Library> {
  const all = await allLibraries(audiobooks);
  const named = all.filter(({ name }) => name === given);
  const found =
    all.find(({ id, root }) => id === given.toUpperCase() || root === resolve(given)) ??
    (named.length === 1 ? named[0] : undefined) ??
    all.find(({ root }) => root === realRoot(given));
  if (found !== undefined) return found;
  throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${given}.`);
}

/**
 * Returns the given library. If none is given, returns the library of the first book or, without books, the only
 * library.
 */
export async function chooseLibrary(
  audiobooks: Audiobooks,
  given: string | undefined,
  chosenBooks: readonly string[] = [],
): Promise<Library> {
  if (given !== undefined) return findLibrary(audiobooks, given);
  const all = await allLibraries(audiobooks);
  const [first] = chosenBooks;
  const book = first === undefined ? undefined : await resolveBook(audiobooks.reader, first);
  const found = book === undefined ? undefined : all.find(({ id }) => id === book.library_id);
  const [only, ...others] = all;
  if (found !== undefined) return found;
  if (only === undefined) throw audiobookErrors.LIBRARY_NOT_FOUND('There is no library yet.');
  if (others.length === 0) return only;
  throw audiobookErrors.LIBRARY_REQUIRED('Several libraries exist.', { details: { ids: all.map(({ id }) => id) } });
}

export async function libraryById({ store }: Audiobooks, id: string): Promise<Library> {
  const library = await store.get(libraries, { id });
  if (library === undefined) throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${id}.`);
  return library;
}

export async function visibleLibraries(audiobooks: Audiobooks, listener: Listener): Promise<readonly Library[]> {
  return (await allLibraries(audiobooks)).filter(({ id }) => listener.sees({ library_id: id }));
}

async function libraryView({ reader }: Audiobooks, { can }: Listener, { id, name, root, scanned_at }: Library) {
  const count = (await countOf(reader, [id])) ?? 0;
  return { id, name, books: count, scanned_at, ...(can.manage ? { root } : {}) };
}

export async function listLibraries(audiobooks: Audiobooks, _input: object, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const visible = await visibleLibraries(audiobooks, listener);
  const data = await Promise.all(visible.map((library) => libraryView(audiobooks, listener, library)));
  return { data, next_cursor: null };
}

interface NewLibrary {
  readonly root: string;
  readonly name?: string | undefined;
}

export async function addLibrary(audiobooks: Audiobooks, { root, name }: NewLibrary, caller: Caller) {
  if (!isAbsolute(root)) throw audiobookErrors.LIBRARY_NOT_FOUND(`${root} is not an absolute path.`);
  const library = await addLibraryAt(audiobooks, root, name);
  return libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
}

export async function renameLibrary(
  audiobooks: Audiobooks,
  { library: given, name }: ByLibrary & { readonly name: string },
  caller: Caller,
) {
  const { id } = await findLibrary(audiobooks, given);
  const renamed = await audiobooks.store.transact((tx) =>
    tx.update(libraries, { id }, (library) => ({ ...library, name })),
  );
  if (renamed === undefined) throw audiobookErrors.LIBRARY_NOT_FOUND(`There is no library ${id}.`);
  return libraryView(audiobooks, await listenerOf(audiobooks, caller), renamed);
}

/** Marks a library and its books as removed. Files and data stay; adding the folder again restores everything. */
export async function removeLibrary(audiobooks: Audiobooks, { library: given }: ByLibrary, caller: Caller) {
  const library = await findLibrary(audiobooks, given);
  const view = await libraryView(audiobooks, await listenerOf(audiobooks, caller), library);
  const { at } = stampFor(audiobooks);
  const removed = await audiobooks.store.transact((tx) =>
    tx.update(libraries, { id: library.id }, (current) => ({ ...current, removed_at: current.removed_at ?? at })),
  );
  await markBooks(audiobooks, library.id, null, removed?.removed_at ?? at);
  return view;
}

const BOOKS_PER_COMMIT = 200;

/**
 * Marks the books in a library. Skips books that already have the mark, so that a repeated call resumes after an
 * interruption.
 */
async function markBooks(
  audiobooks: Audiobooks,
  library: string,
  from: string | null,
  to: string | null,
): Promise<void> {
  const stamp = stampFor(audiobooks);
  const key = { library_id: library };
  let cursor: string | undefined;
  do {
    const place = cursor;
    cursor = await audiobooks.store.transact(async (tx) => {
      // Uses the folder index, because it has every book of a library, including deleted ones.
      const page = await tx.page(books.by.folder, key, { limit: BOOKS_PER_COMMIT, cursor: place });
      for (const book of page.items) {
        if (book.deleted_at === from) await writeBook(tx, book, { ...book, deleted_at: to }, stamp);
      }
      return page.cursor;
    });
  } while (cursor !== undefined);
}

export async function noteScanned(audiobooks: Audiobooks, id: string): Promise<void> {
  const { at } = stampFor(audiobooks);
  await audiobooks.store.transact((tx) => tx.update(libraries, { id }, (library) => ({ ...library, scanned_at: at })));
}
