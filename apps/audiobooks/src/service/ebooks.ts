import type { Caller } from '@holdfast/operation';
import { filesIn } from '../adapters/ebook-files.ts';
import { closeFile, type OpenedFile, openInLibrary } from '../adapters/library-root.ts';
import type { Book } from '../model/book.ts';
import { audiobookErrors } from '../model/errors.ts';
import { normalizeText } from '../model/normalize.ts';
import type { ByBook } from '../operations/fields.ts';
import { books, libraries } from '../store/definitions.ts';
import { activeSegments } from '../store/timelines.ts';
import type { Audiobooks } from './audiobooks.ts';
import { type Listener, listenerOf, visibleBook } from './listener.ts';

/** E-books next to the audio. They are read from the folder at each request, so no scan has to find them first. */

const TYPES = new Map([
  ['epub', 'application/epub+zip'],
  ['pdf', 'application/pdf'],
]);

export interface Ebook extends OpenedFile {
  readonly name: string;
  readonly contentType: string;
}

export async function listEbooks(audiobooks: Audiobooks, { book: given }: ByBook, caller: Caller) {
  const book = await visibleBook(audiobooks.store, await listenerOf(audiobooks, caller), given);
  const data = [];
  for (const name of await namesOf(audiobooks, book)) {
    const file = await openNamed(audiobooks, book, name);
    if (file === undefined) continue;
    closeFile(file);
    const url = `/api/audiobooks/books/${book.id}/ebooks/${encodeURIComponent(name)}`;
    data.push({ name, format: extensionOf(name), size_bytes: file.size, url });
  }
  return { data };
}

/** Opens an e-book for download. Accepts only names that `listEbooks` returns. */
export async function openEbook(
  audiobooks: Audiobooks,
  listener: Listener,
  { book: given, name }: ByBook & { readonly name: string },
): Promise<Ebook> {
  const book = await visibleBook(audiobooks.store, listener, given);
  const isListed = listener.can.download && (await namesOf(audiobooks, book)).includes(name);
  const file = isListed ? await openNamed(audiobooks, book, name) : undefined;
  if (file === undefined) throw audiobookErrors.EBOOK_NOT_FOUND(`${book.title} has no e-book ${JSON.stringify(name)}.`);
  return { ...file, name, contentType: TYPES.get(extensionOf(name)) ?? '' };
}

async function rootOf({ store }: Audiobooks, { library_id: id }: Book): Promise<string | undefined> {
  return id === null ? undefined : (await store.get(libraries, { id }))?.root;
}

async function openNamed(audiobooks: Audiobooks, book: Book, name: string): Promise<OpenedFile | undefined> {
  const root = await rootOf(audiobooks, book);
  const path = book.folder === null || book.folder === '' ? name : `${book.folder}/${name}`;
  return root === undefined ? undefined : openInLibrary(root, path);
}

/** If several books share the folder, an e-book belongs to the book with the same name. */
async function namesOf(audiobooks: Audiobooks, book: Book): Promise<readonly string[]> {
  const { store } = audiobooks;
  const { library_id: library, folder } = book;
  const root = await rootOf(audiobooks, book);
  if (root === undefined || library === null || folder === null) return [];
  const names = filesIn(root, folder).filter((name) => TYPES.has(extensionOf(name)));
  if (names.length === 0) return [];
  const sharing = await store.list(books.by.folder, { library_id: library, folder }, { limit: 2 });
  if (sharing.length < 2) return names.sort();
  const files = (await activeSegments(store, book.id)).map(({ file_path: path }) => path.split('/').at(-1) ?? '');
  const own = new Set([book.title, ...files.map(stemOf)].map(normalizeText));
  return names.filter((name) => own.has(normalizeText(stemOf(name)))).sort();
}

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
const stemOf = (name: string): string => name.replace(/\.[^.]*$/u, '');
