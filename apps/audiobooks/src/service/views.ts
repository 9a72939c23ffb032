import type { Reads } from '@holdfast/keyspace';
import type { Book, Segment } from '../model/book.ts';
import { type Chapter, type ChapterMark, chaptersFromMarks, chaptersOfParts } from '../model/chapters.ts';
import { canUndo, type Operation, summaryOf } from '../model/operation.ts';
import type { Progress } from '../model/playback.ts';
import { partTitles } from '../model/names/file-name.ts';
import { type AudioTags, contentTypeOf } from '../model/scanned.ts';
import type { BookDetail, BookRow, OperationView } from '../operations/fields.ts';
import type { Progress as ProgressView } from '../operations/progress.ts';
import { books, chapterLists, fileFacts, progress } from '../store/definitions.ts';
import { activeSegments, newestMap, positionOn } from '../store/timelines.ts';
import type { Audiobooks } from './audiobooks.ts';
import type { Listener } from './listener.ts';
import { resolveBook } from './queries/resolve.ts';

/** Converts stored records for operations. Faces send only the fields that the operation declares. */

/** Adds the user's position to each book, with one read per book. */
export async function bookRows(reads: Reads, listed: readonly Book[], userId: string): Promise<BookRow[]> {
  const positions = await reads.getMany(
    progress,
    listed.map(({ id }) => ({ user_id: userId, book_id: id })),
  );
  return listed.map((book, index) => rowView(book, positions[index]));
}

export async function bookRowOf(reads: Reads, book: Book, userId: string): Promise<BookRow> {
  return rowView(book, await reads.get(progress, { user_id: userId, book_id: book.id }));
}

/** Names each field: copying all fields of each book took a tenth of the time needed for a page of books. */
function rowView(book: Book, position: Progress | undefined): BookRow {
  return {
    id: book.id,
    title: book.title,
    subtitle: book.subtitle,
    authors: book.authors,
    narrators: book.narrators,
    series: book.series,
    language: book.language,
    duration_ms: book.duration_ms,
    library_id: book.library_id,
    work_id: book.work_id,
    revision: book.revision,
    generation: book.generation,
    year: book.published_year,
    files: book.segment_count,
    cover: coverAddress(book),
    added_at: book.created_at,
    missing: book.missing_since !== null,
    progress: position === undefined || !position.started ? null : progressView(position),
  };
}

/** `v` changes with the picture, so that the content of a URL never changes. */
export function coverAddress({ id, cover_asset_id: asset }: Book): string | null {
  return asset === null ? null : `/api/audiobooks/books/${id}/cover?v=${asset}`;
}

export async function bookDetail(
  reads: Reads,
  { book, segments, chapters, editions }: BookView,
  listener: Listener,
): Promise<BookDetail> {
  const visible = editions.filter((edition) => listener.sees(edition));
  let start = 0;
  return {
    ...book,
    ...(await bookRowOf(reads, book, listener.userId)),
    provenance: { ...book.provenance },
    folder: listener.can.edit ? book.folder : null,
    chapters: chapterViews(chapters),
    segments: segments.map((segment, index) => {
      const view = segmentView(segment, index, start, listener);
      start += segment.duration_ms;
      return view;
    }),
    editions: await bookRows(reads, visible, listener.userId),
  };
}

export function chapterViews(chapters: readonly Chapter[]): BookDetail['chapters'] {
  return chapters.map(({ title, startMs, endMs }, index) => ({ index, title, start_ms: startMs, end_ms: endMs }));
}

function segmentView(
  segment: Segment,
  index: number,
  start: number,
  { can }: Listener,
): BookDetail['segments'][number] {
  return {
    ...segment,
    index,
    start_ms: start,
    content_type: contentTypeOf(segment.format),
    missing: segment.missing_since !== null,
    path: can.edit ? segment.file_path : null,
    url: `/api/audiobooks/books/${segment.book_id}/segments/${segment.id}/stream`,
  };
}

export function operationView(operation: Operation): OperationView {
  return {
    ...operation,
    summary: summaryOf(operation),
    can_undo: canUndo(operation),
    cancelling: operation.cancel_requested && operation.completed_at === null,
  };
}

export function progressView(entry: Progress): ProgressView {
  return {
    ...entry,
    position_ms: entry.book_position_ms,
    percent: entry.percent_complete,
    speed: entry.play_speed,
  };
}

export interface BookView {
  readonly book: Book;
  readonly segments: readonly Segment[];
  readonly chapters: readonly Chapter[];
  readonly editions: readonly Book[];
}

/** Returns the chapters of a book. A merged file would have the same chapters. */
export async function bookChapters(
  reads: Reads,
  book: Book,
  segments: readonly Segment[],
): Promise<readonly Chapter[]> {
  const edited = await editedMarks(reads, book);
  if (edited.length > 0) return chaptersFromMarks(edited, book.duration_ms);
  return chaptersOfFiles(reads, book, segments);
}

/** Returns the edited chapters with their start times on the current timeline; none if the book has no edited ones. */
export async function editedMarks(
  reads: Reads,
  { id, chapter_list_id: listId }: Book,
): Promise<readonly ChapterMark[]> {
  const list = listId === null || listId === undefined ? undefined : await reads.get(chapterLists, { id: listId });
  const marks: ChapterMark[] = [];
  const newest = list === undefined ? undefined : await newestMap(reads, id);
  for (const { title, start_ms: positionMs } of list?.marks ?? []) {
    const place = await positionOn(reads, newest, { positionMs, generation: list?.generation });
    if (typeof place === 'object') marks.push({ title, startMs: place.bookPositionMs });
  }
  return marks;
}

/** Returns the chapters that the files themselves contain. */
async function chaptersOfFiles(
  reads: Reads,
  { title }: Book,
  segments: readonly Segment[],
): Promise<readonly Chapter[]> {
  const facts = await reads.getMany(
    fileFacts,
    segments.map(({ id }) => ({ segment: id })),
  );
  const files = segments.map(({ file_path: path }, index) => {
    const { title: tag } = (facts[index]?.tags ?? {}) as Partial<AudioTags>;
    return { path, title: tag };
  });
  const titles = partTitles(files, title);
  return chaptersOfParts(
    segments.map(({ duration_ms: durationMs, chapters }, index) => ({
      title: titles[index] ?? '',
      durationMs,
      chapters,
    })),
  );
}

const EDITIONS_MAX = 50;

export function showBook({ reader }: Audiobooks, given: string): Promise<BookView> {
  return reader.snapshot(async (reads) => {
    const book = await resolveBook(reads, given);
    const segments = await activeSegments(reads, book.id);
    const work = book.work_id;
    const same = work === null ? [] : await reads.list(books.by.work, { work_id: work }, { limit: EDITIONS_MAX });
    return {
      book,
      segments,
      chapters: await bookChapters(reads, book, segments),
      editions: same.filter(({ id, deleted_at: deleted }) => id !== book.id && deleted === null),
    };
  });
}
