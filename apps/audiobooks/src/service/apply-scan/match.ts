import type { Reads } from '@holdfast/keyspace';
import type { Book, Segment } from '../../model/book.ts';
import { normalizeText, parseIsbn } from '../../model/normalize.ts';
import type { ScannedBook, ScannedFile } from '../../model/scanned.ts';
import { findAuthor, readBook } from '../../store/books.ts';
import { books, libraries, segments } from '../../store/definitions.ts';
import { activeSegments, segmentAtPath } from '../../store/timelines.ts';

/** Returns whether a library path exists now. */
export type Exists = (root: string, path: string) => boolean | Promise<boolean>;

/**
 * Finds the known segment of a file, even if the file was renamed.
 *
 * Rules, the most reliable first: the same inode with the same audio or path; the same audio if the known file is gone;
 * the same path with about the same duration (a replaced file); the same inode, format and duration if the known file
 * is gone. An inode alone proves nothing: file systems reuse inodes, and if a tool rewrites a book's files one by
 * one, each new file may get the inode of the previous file.
 */
export interface MatchRequest {
  readonly libraryId: string;
  readonly files: readonly ScannedFile[];
  readonly exists: Exists;
}

export type Matches = ReadonlyMap<ScannedFile, Segment>;

const SAME_LENGTH_MS = 100;
const REPLACED_LENGTH_RATIO = 0.1;
const CANDIDATES_MAX = 20;

export async function matchFiles(reads: Reads, request: MatchRequest): Promise<Matches> {
  const matches = new Map<ScannedFile, Segment>();
  const taken = new Set<string>();
  const match = (file: ScannedFile, segment: Segment | undefined): void => {
    if (segment === undefined || taken.has(segment.id)) return;
    taken.add(segment.id);
    matches.set(file, segment);
  };
  // Two of the rules need this map.
  const sameInode = new Map<ScannedFile, readonly Segment[]>();
  for (const file of request.files) sameInode.set(file, await withInode(reads, file, request));
  const free = (file: ScannedFile): readonly Segment[] =>
    (sameInode.get(file) ?? []).filter(({ id }) => !taken.has(id));
  for (const find of [byInode, bySound, byPlace, byInodeAndLength]) {
    for (const file of request.files) {
      if (!matches.has(file)) match(file, await find({ reads, file, request, taken, sameInode: free(file) }));
    }
  }
  return matches;
}

interface Search {
  readonly reads: Reads;
  readonly file: ScannedFile;
  readonly request: MatchRequest;
  /** Segments that are already matched to other files. */
  readonly taken: ReadonlySet<string>;
  /** Segments of this library that have the file's inode and are not matched yet. */
  readonly sameInode: readonly Segment[];
}

type Finder = (search: Search) => Segment | undefined | Promise<Segment | undefined>;

const byInode: Finder = ({ file, sameInode }) =>
  sameInode.find((segment) => segment.quick_hash === file.quickHash) ??
  sameInode.find((segment) => segment.file_path === file.path);

const byInodeAndLength: Finder = async ({ reads, file, request, sameInode }) => {
  for (const segment of sameInode) {
    const isAlike = isSameLength(segment, file) && segment.format === file.format;
    if (isAlike && !(await isThere(reads, segment, request.exists))) return segment;
  }
  return undefined;
};

async function withInode(
  reads: Reads,
  { device, inode }: ScannedFile,
  { libraryId }: MatchRequest,
): Promise<readonly Segment[]> {
  const candidates = await reads.list(segments.by.inode, { device, inode }, { limit: CANDIDATES_MAX });
  return candidates.filter((segment) => segment.library_id === libraryId);
}

const bySound: Finder = async ({ reads, file, request: { libraryId, exists }, taken }) => {
  const candidates = await reads.list(segments.by.hash, { quick_hash: file.quickHash }, { limit: CANDIDATES_MAX });
  for (const segment of candidates) {
    if (taken.has(segment.id)) continue;
    // If the known file still exists elsewhere, the scanned file is a copy of it.
    const isHere = segment.library_id === libraryId && segment.file_path === file.path;
    if (isHere || segment.missing_since !== null || !(await isThere(reads, segment, exists))) return segment;
  }
  return undefined;
};

const byPlace: Finder = async ({ reads, file, request: { libraryId }, taken }) => {
  const segment = await segmentAtPath(reads, libraryId, file.path);
  if (segment === undefined || taken.has(segment.id)) return undefined;
  const difference = Math.abs(segment.duration_ms - file.durationMs);
  return difference <= REPLACED_LENGTH_RATIO * Math.max(segment.duration_ms, file.durationMs) ? segment : undefined;
};

/**
 * Returns whether a segment's file exists. Looks in the segment's own library, not in the scanned one. A removed
 * library has no files.
 */
export async function isThere(reads: Reads, segment: Segment, exists: Exists): Promise<boolean> {
  const library = segment.library_id === null ? undefined : await reads.get(libraries, { id: segment.library_id });
  return library?.removed_at === null && exists(library.root, segment.file_path);
}

function isSameLength(segment: Segment, file: ScannedFile): boolean {
  return Math.abs(segment.duration_ms - file.durationMs) <= SAME_LENGTH_MS;
}

interface BookRequest {
  readonly libraryId: string;
  readonly scanned: ScannedBook;
  readonly matches: Matches;
  /** Books that are already matched to other scanned books of this unit. */
  readonly claimed: ReadonlySet<string>;
  readonly isAloneInFolder: boolean;
}

const SAME_LENGTH_RATIO = 0.02;

/**
 * Finds the known book that matches a scanned book. Rules in order: the book that most of the files belong to; the book
 * whose files in this folder were all replaced; a book without files that has the same ISBN or ASIN, or the same
 * author, title and duration.
 */
export async function matchBook(reads: Reads, request: BookRequest): Promise<Book | undefined> {
  return (
    (await byFiles(reads, request)) ??
    (await byFolder(reads, request)) ??
    (await byNumber(reads, request)) ??
    (await byTitle(reads, request))
  );
}

async function byFiles(reads: Reads, { scanned, matches, claimed }: BookRequest): Promise<Book | undefined> {
  const votes = new Map<string, number>();
  for (const file of scanned.files) {
    const bookId = matches.get(file)?.book_id;
    if (bookId !== undefined && !claimed.has(bookId)) votes.set(bookId, (votes.get(bookId) ?? 0) + 1);
  }
  const [winner] = [...votes].sort((left, right) => right[1] - left[1]);
  return winner === undefined ? undefined : readBook(reads, winner[0]);
}

async function byFolder(reads: Reads, request: BookRequest): Promise<Book | undefined> {
  const { libraryId, scanned, claimed, isAloneInFolder } = request;
  if (!isAloneInFolder) return undefined;
  const here = await reads.list(books.by.folder, { library_id: libraryId, folder: scanned.folder }, { limit: 2 });
  const [only] = here;
  if (only === undefined || here.length > 1 || claimed.has(only.id)) return undefined;
  // If both duration and title differ, the folder now contains another book.
  return isAboutAsLong(only, scanned, 0.1) || normalizeText(scanned.title) === only.normalized_title ? only : undefined;
}

async function byNumber(reads: Reads, { scanned, claimed }: BookRequest): Promise<Book | undefined> {
  const { isbn13 } = parseIsbn(scanned.isbn);
  const asin = scanned.asin?.toUpperCase();
  const candidates = [
    ...(isbn13 === null ? [] : await reads.list(books.by.isbn13, { isbn13 }, { limit: 10 })),
    ...(asin === undefined ? [] : await reads.list(books.by.asin, { asin }, { limit: 10 })),
  ];
  return firstGone(reads, candidates, scanned, claimed);
}

async function byTitle(reads: Reads, { scanned, claimed }: BookRequest): Promise<Book | undefined> {
  const [name] = scanned.authors;
  const author = name === undefined ? undefined : await findAuthor(reads, name);
  if (author === undefined) return undefined;
  const key = { normalized_title: normalizeText(scanned.title) };
  const candidates = await reads.list(books.by.title, key, { limit: 20 });
  const own = candidates.filter((book) => book.author_id === author.id);
  return firstGone(reads, own, scanned, claimed);
}

async function firstGone(
  reads: Reads,
  candidates: readonly Book[],
  scanned: ScannedBook,
  claimed: ReadonlySet<string>,
): Promise<Book | undefined> {
  for (const book of candidates) {
    if (claimed.has(book.id) || !isAboutAsLong(book, scanned, SAME_LENGTH_RATIO)) continue;
    // If a person deleted the book, these files are a new copy, not the deleted book.
    if ((await deletedSince(reads, book)) !== null) continue;
    const files = await activeSegments(reads, book.id);
    if (files.every((segment) => segment.missing_since !== null)) return book;
  }
  return undefined;
}

function isAboutAsLong(book: Book, scanned: ScannedBook, ratio: number): boolean {
  const longer = Math.max(book.duration_ms, scanned.durationMs);
  return Math.abs(book.duration_ms - scanned.durationMs) <= ratio * longer;
}

/**
 * Returns the time at which a person deleted this book, or null if nobody did. Only a person can restore such a book.
 * Returns null for a book that was hidden together with its library: it becomes visible again when another library
 * has its files.
 */
export async function deletedSince(reads: Reads, { deleted_at: since, library_id: id }: Book): Promise<string | null> {
  if (since === null || id === null) return since;
  const library = await reads.get(libraries, { id });
  return library?.removed_at === since ? null : since;
}
