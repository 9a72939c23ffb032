import type { Book } from '../../model/book.ts';
import type { ChapterMark } from '../../model/chapters.ts';
import { audiobookErrors } from '../../model/errors.ts';
import type { ChapterList } from '../../model/records.ts';
import { type Stamp, writeBook } from '../../store/books.ts';
import { chapterLists } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { resolveBook } from '../queries/resolve.ts';
import { changeAtOnce, type Changed, setFields } from './change.ts';

interface ChaptersRequest {
  readonly book: string;
  /** Null restores the chapters of the files. */
  readonly marks: readonly ChapterMark[] | null;
  readonly ifRevision?: number | undefined;
  readonly by: string;
}

/** Replaces the chapters of a book and locks them. The files change only when they are merged or tagged. */
export function editChapters(audiobooks: Audiobooks, request: ChaptersRequest): Promise<Changed<Book>> {
  const params = { book: request.book, fields: ['chapters'] };
  return changeAtOnce(audiobooks, { type: 'edit', params, createdBy: request.by }, async ({ tx, editor }) => {
    const before = await resolveBook(tx, request.book);
    if (request.ifRevision !== undefined && request.ifRevision !== before.revision) {
      throw audiobookErrors.REVISION_STALE(`The book has revision ${before.revision}.`);
    }
    const list = request.marks === null ? undefined : chapterListOf(before, request.marks, editor);
    if (list !== undefined) await tx.put(chapterLists, { id: list.id }, list);
    const edited = await setFields(tx, before, { chapters: list?.id ?? null }, { chapters: 'edit' }, editor);
    const others = before.locks.filter((field) => field !== 'chapters');
    const locks = list === undefined ? others : [...others, 'chapters'].sort();
    const book = await writeBook(tx, before, { ...edited, locks }, editor);
    return {
      value: book,
      result: { books: [book.id], locks: [{ book: book.id, before: before.locks, after: locks }] },
    };
  });
}

/** Throws unless the first chapter starts at 0 and all chapters are in order and inside the book. */
export function chapterListOf(book: Book, marks: readonly ChapterMark[], { newId, at }: Stamp): ChapterList {
  for (const [index, { startMs }] of marks.entries()) {
    const previous = marks[index - 1];
    const isFirst = previous === undefined && startMs === 0;
    const isNext = previous !== undefined && startMs > previous.startMs && startMs < book.duration_ms;
    if (!isFirst && !isNext) {
      const reason = index === 0 ? 'must start at 0' : 'must start after the previous one and before the end';
      throw audiobookErrors.CHAPTERS_INVALID(`Chapter ${index + 1} ${reason}.`, { details: { index } });
    }
  }
  return {
    id: newId(),
    book_id: book.id,
    generation: book.generation,
    marks: marks.map(({ title, startMs }, index) => ({
      title: title.trim() === '' ? `Chapter ${index + 1}` : title.trim(),
      start_ms: startMs,
    })),
    created_at: at,
    version: 1,
  };
}
