import { posix } from 'node:path';
import { isHoldfastError, SECOND } from '@holdfast/base';
import type { Transaction } from '@holdfast/keyspace';
import {
  type AudiobookshelfFolder,
  findAudiobookshelf,
  realFolder,
  storedCover,
  withDatabaseCopy,
} from '../../adapters/audiobookshelf-folder.ts';
import type { Book } from '../../model/book.ts';
import { type ChapterMark, chaptersFromMarks } from '../../model/chapters.ts';
import type { BookField } from '../../model/choices.ts';
import type { OperationContext } from '../../model/engines.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { FieldChanges } from '../../model/fields.ts';
import type { Operation, OperationOptions } from '../../model/operation.ts';
import type { Library } from '../../model/records.ts';
import { plainText } from '../../model/sidecar.ts';
import { type AudiobookshelfData, readAudiobookshelf } from '../../store/audiobookshelf-database.ts';
import { readBook, type Stamp, writeBook } from '../../store/books.ts';
import { assets, books, chapterLists, segments } from '../../store/definitions.ts';
import { activeSegments } from '../../store/timelines.ts';
import { type Audiobooks, stampFor } from '../audiobooks.ts';
import { setFields } from '../changes/change.ts';
import { chapterListOf } from '../changes/edit-chapters.ts';
import { storePicture } from '../changes/replace-cover.ts';
import { addLibraryAt } from '../libraries.ts';
import { runOperation } from '../operations/run-operation.ts';
import { bookChapters } from '../views.ts';
import { scanLibrary } from '../scan-library.ts';
import { importListening, importLists } from './audiobookshelf-listening.ts';
import { importUsers } from './audiobookshelf-users.ts';
import { wantedChanges } from './import-metadata.ts';

export interface AudiobookshelfSource {
  /** The folder that contains Audiobookshelf's `config` and `metadata`. */
  readonly dir: string;
  /** Where Audiobookshelf's folders are on this machine, as pairs "FROM=TO". */
  readonly folders: readonly string[];
}

interface SourceFolder {
  readonly id: string;
  readonly libraryId: string;
  readonly name: string;
  /** The path in Audiobookshelf. */
  readonly from: string;
  /** The path on this machine, or undefined if the folder does not exist. */
  readonly to: string | undefined;
}

interface Source {
  readonly at: AudiobookshelfFolder;
  readonly data: AudiobookshelfData;
  readonly folders: readonly SourceFolder[];
}

/** Counts what an import would read. Changes nothing. */
export async function previewAudiobookshelf(given: AudiobookshelfSource) {
  const { data, folders, at } = await readSource(given);
  const isIn = new Set(folders.filter(({ to }) => to !== undefined).map(({ libraryId }) => libraryId));
  return {
    users: data.users.length,
    libraries: data.libraries.length,
    books: data.items.length,
    series: new Set(data.series.map(({ name }) => name)).size,
    collections: data.collections.length,
    playlists: data.playlists.length,
    progress: data.progress.length,
    bookmarks: data.users.reduce((sum, { bookmarks }) => sum + bookmarks.length, 0),
    sessions: data.sessions.length,
    covers: at.metadata === undefined ? 0 : data.books.filter(({ coverPath }) => isStoredCover(coverPath)).length,
    unreadable: data.unreadable,
    books_without_folder: data.items.filter(({ libraryId }) => !isIn.has(libraryId)).length,
    folders: folders.map(({ name, from, to }) => ({ library: name, path: from, here: to ?? null })),
  };
}

export type AudiobookshelfPreview = Awaited<ReturnType<typeof previewAudiobookshelf>>;

/**
 * Imports everything that Audiobookshelf stores about books. Adds and scans its libraries first. Importing again
 * continues after an interruption and adds what is new.
 */
export async function importAudiobookshelf(
  audiobooks: Audiobooks,
  request: AudiobookshelfSource & OperationOptions,
): Promise<Operation> {
  const source = await readSource(request);
  const accounts = await audiobooks.accounts.accounts();
  if ((await accounts.setupState()) === 'no_owner') {
    throw audiobookErrors.IMPORT_NEEDS_OWNER('Users can be imported only after the first user exists.');
  }
  const libraries = new Map<string, Library>();
  for (const { id, name, to } of source.folders) {
    if (to === undefined) continue;
    const library = await addLibraryAt(audiobooks, to, name);
    await scanLibrary(audiobooks, { library, by: request.by, ...optionsOf(request) });
    libraries.set(id, library);
  }
  const params = { source: request.dir };
  const operation = { type: 'import', target: 'import', params, createdBy: request.by, ...optionsOf(request) } as const;
  return runOperation(audiobooks, operation, async (context) => {
    const matched = await matchBooks(audiobooks, source, libraries);
    const missing = source.data.items.length - matched.size;
    if (missing > 0) context.log('warn', `Books from Audiobookshelf that the scan did not find: ${missing}.`);
    const changed = await importFields(audiobooks, source, matched, request.by, context);
    const covers = await importCovers(audiobooks, source, matched, request.by, context);
    const own = source.folders.map(({ id, libraryId }) => ({ libraryId, id: libraries.get(id)?.id }));
    const users = await importUsers(audiobooks, source.data, own, context);
    const byBook = new Map(source.data.items.map(({ id, mediaId }) => [mediaId, matched.get(id)]));
    const imported = { data: source.data, users: users.ids, books: byBook, items: matched };
    const playlists = await importLists(audiobooks, imported);
    const listening = await importListening(audiobooks, imported, context);
    const result = { matched: matched.size, changed, covers, users: users.created, playlists, ...listening };
    return { result, undoable: changed > 0 || covers > 0 };
  });
}

function optionsOf({ signal, onProgress }: OperationOptions) {
  return { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress }) };
}

async function readSource({ dir, folders: given }: AudiobookshelfSource): Promise<Source> {
  const moved = given.map(parseMove);
  const at = await findAudiobookshelf(dir);
  const data = await withDatabaseCopy(at.database, readAudiobookshelf);
  const folders: SourceFolder[] = [];
  for (const { id, name } of data.libraries) {
    const own = data.folders.filter(({ libraryId }) => libraryId === id);
    for (const [index, { id: folder, path }] of own.entries()) {
      const here = moved.find(({ from }) => path === from || path.startsWith(`${from}/`));
      const to = await realFolder(here === undefined ? path : here.to + path.slice(here.from.length));
      folders.push({ id: folder, libraryId: id, name: index === 0 ? name : `${name} ${index + 1}`, from: path, to });
    }
  }
  return { at, data, folders };
}

function parseMove(pair: string): { readonly from: string; readonly to: string } {
  const [from = '', to = ''] = pair.split('=', 2);
  if (from === '' || to === '') {
    throw audiobookErrors.IMPORT_INVALID(`--folder ${pair} is not a pair of folders, such as /audiobooks=/srv/books.`);
  }
  return { from: from.replace(/(?<=.)\/+$/u, ''), to: to.replace(/(?<=.)\/+$/u, '') };
}

/** Maps item ids to our book ids. Finds a book by one of its audio files or by its folder. */
async function matchBooks(
  { store }: Audiobooks,
  { data, folders }: Source,
  libraries: ReadonlyMap<string, Library>,
): Promise<ReadonlyMap<string, string>> {
  const media = new Map(data.books.map((book) => [book.id, book]));
  const matched = new Map<string, string>();
  for (const { id, mediaId, path, libraryId, libraryFolderId } of data.items) {
    const folder =
      folders.find((one) => one.id === libraryFolderId) ?? folders.find((one) => one.libraryId === libraryId);
    const library = folder === undefined ? undefined : libraries.get(folder.id);
    if (folder === undefined || library === undefined) continue;
    const files = (media.get(mediaId)?.audioFiles ?? []).map(({ metadata }) => metadata.path);
    for (const file of [...files, path]) {
      const segment = await store.find(segments.by.path, {
        library_id: library.id,
        file_path: posix.relative(folder.from, file),
      });
      if (segment === undefined) continue;
      matched.set(id, segment.book_id);
      break;
    }
    const key = { library_id: library.id, folder: posix.relative(folder.from, path) };
    const [only, ...others] = matched.has(id) ? [] : await store.list(books.by.folder, key);
    if (only !== undefined && others.length === 0) matched.set(id, only.id);
  }
  return matched;
}

type SourceBook = AudiobookshelfData['books'][number];

const BOOKS_PER_COMMIT = 100;

/** Sets the fields of the books, except fields that someone locked or edited here. Returns how many books changed. */
async function importFields(
  audiobooks: Audiobooks,
  { data }: Source,
  matched: ReadonlyMap<string, string>,
  by: string,
  context: OperationContext,
): Promise<number> {
  const wanted = fieldsByBook(data);
  const marks = new Map(data.books.map(({ id, chapters }) => [id, chapters.map(markOf)]));
  const pairs = data.items.flatMap(({ id, mediaId }) => {
    const [ours, fields] = [matched.get(id), wanted.get(mediaId)];
    return ours === undefined || fields === undefined ? [] : [{ ours, fields, marks: marks.get(mediaId) ?? [] }];
  });
  let changed = 0;
  for (let start = 0; start < pairs.length; start += BOOKS_PER_COMMIT) {
    context.signal.throwIfAborted();
    const editor = { ...stampFor(audiobooks), by, operationId: context.operationId };
    changed += await audiobooks.store.transact(async (tx) => {
      let count = 0;
      for (const { ours, fields, marks: chapters } of pairs.slice(start, start + BOOKS_PER_COMMIT)) {
        const book = await readBook(tx, ours);
        if (book === undefined) continue;
        const changes = { ...wantedChanges(book, fields, true), ...(await wantedChapters(tx, book, chapters, editor)) };
        const sources = Object.fromEntries(Object.keys(changes).map((field) => [field, 'import' as const]));
        const after = await setFields(tx, book, changes, sources, editor);
        if (after === book) continue;
        await writeBook(tx, book, after, editor);
        count += 1;
      }
      return count;
    });
    context.progress(start, pairs.length, 'books');
  }
  return changed;
}

const markOf = ({ title, start }: SourceBook['chapters'][number]): ChapterMark => ({ title, startMs: start * SECOND });

const isTouched = ({ locks, provenance }: Book, field: BookField): boolean =>
  locks.includes(field) || provenance[field] === 'edit';

/**
 * Stores Audiobookshelf's chapters and returns the changed field. Does nothing if they equal the current chapters, or
 * if someone edited or locked the chapters here.
 */
async function wantedChapters(
  tx: Transaction,
  book: Book,
  marks: readonly ChapterMark[],
  stamp: Stamp,
): Promise<FieldChanges> {
  const [first, ...others] = chaptersFromMarks(marks, book.duration_ms);
  if (first === undefined || others.length === 0 || isTouched(book, 'chapters')) return {};
  const wanted = [{ ...first, startMs: 0 }, ...others];
  const current = await bookChapters(tx, book, await activeSegments(tx, book.id));
  const isSame = ({ title, startMs }: ChapterMark, index: number): boolean =>
    current[index]?.title === title && Math.abs(current[index].startMs - startMs) < SECOND;
  if (wanted.length === current.length && wanted.every(isSame)) return {};
  const list = chapterListOf(book, wanted, stamp);
  await tx.put(chapterLists, { id: list.id }, list);
  return { chapters: list.id };
}

function fieldsByBook({ books: all, authors, series }: AudiobookshelfData): ReadonlyMap<string, FieldChanges> {
  const authorsOf = grouped(authors);
  const seriesOf = grouped(series);
  return new Map(
    all.map((book) => {
      const names = authorsOf.get(book.id)?.map(({ name }) => name) ?? [];
      const memberships = seriesOf.get(book.id) ?? [];
      const values = {
        ...textsOf(book),
        authors: names,
        narrators: book.narrators,
        series: memberships.map(({ name, sequence }) => ({ name, sequence: sequence?.trim() || null })),
        genres: book.genres,
        tags: book.tags,
      };
      const present = Object.entries(values).filter(
        ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
      );
      return [book.id, Object.fromEntries(present)] as const;
    }),
  );
}

function textsOf(book: SourceBook) {
  const year = /\d{4}/u.exec(book.publishedYear ?? '')?.[0];
  return {
    title: book.title ?? undefined,
    subtitle: book.subtitle ?? undefined,
    year: year === undefined ? undefined : Number(year),
    publisher: book.publisher ?? undefined,
    language: book.language ?? undefined,
    isbn: book.isbn ?? undefined,
    asin: book.asin ?? undefined,
    description: plainText(book.description ?? ''),
    edition: book.abridged ? 'abridged' : undefined,
  };
}

function grouped<Entry extends { readonly bookId: string }>(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = groups.get(entry.bookId);
    if (known === undefined) groups.set(entry.bookId, [entry]);
    else known.push(entry);
  }
  return groups;
}

/** Returns whether a cover is in the metadata folder. The scan has already found covers next to the audio files. */
function isStoredCover(path: string | null | undefined): path is string {
  return path?.includes('/items/') === true;
}

async function importCovers(
  audiobooks: Audiobooks,
  { at, data }: Source,
  matched: ReadonlyMap<string, string>,
  by: string,
  context: OperationContext,
): Promise<number> {
  const { metadata } = at;
  if (metadata === undefined) return 0;
  const covers = new Map(data.books.map(({ id, coverPath }) => [id, coverPath]));
  let count = 0;
  for (const { id, mediaId } of data.items) {
    context.signal.throwIfAborted();
    const cover = covers.get(mediaId);
    const ours = matched.get(id);
    const book = ours === undefined || !isStoredCover(cover) ? undefined : await readBook(audiobooks.store, ours);
    const bytes =
      book === undefined || !isStoredCover(cover) || isTouched(book, 'cover')
        ? undefined
        : await storedCover(metadata, id, cover);
    if (book === undefined || bytes === undefined) continue;
    try {
      if (await importCover(audiobooks, book, bytes, by, context.operationId)) count += 1;
    } catch (error) {
      if (!isHoldfastError(error, 'PICTURE_INVALID')) throw error;
      context.log('warn', `The cover of ${book.title} is not an image, or it is damaged.`);
    }
  }
  return count;
}

/** Stores the cover, unless an earlier import stored the same one. Returns whether the cover changed. */
async function importCover(
  audiobooks: Audiobooks,
  { id, cover_asset_id: current, provenance }: Book,
  bytes: Uint8Array,
  by: string,
  operationId: string,
): Promise<boolean> {
  const known = current === null ? undefined : await audiobooks.store.get(assets, { id: current });
  if (provenance.cover === 'import' && known?.length === bytes.byteLength) return false;
  const book = await readBook(audiobooks.store, id);
  if (book === undefined) return false;
  const { asset, discard } = await storePicture(audiobooks, book, bytes);
  const editor = { ...stampFor(audiobooks), by, operationId };
  let isStored = false;
  try {
    isStored = await audiobooks.store.transact(async (tx) => {
      const before = await readBook(tx, id);
      if (before === undefined || isTouched(before, 'cover')) return false;
      await tx.put(assets, { id: asset.id }, asset);
      await writeBook(
        tx,
        before,
        await setFields(tx, before, { cover: asset.id }, { cover: 'import' }, editor),
        editor,
      );
      return true;
    });
  } finally {
    if (!isStored) await discard();
  }
  return isStored;
}
