import type { Chapter } from '../../model/chapters.ts';
import { chaptersOfParts } from '../../model/chapters.ts';
import type { Book } from '../../model/book.ts';
import type { HistoryEntry } from '../../model/history.ts';
import type { Asset, Library } from '../../model/library.ts';
import type { Segment } from '../../model/segment.ts';
import { assets, books, libraries } from '../../store/definitions.ts';
import { historyOfBook } from '../../store/history.ts';
import { activeSegments } from '../../store/segments.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { resolveBook } from './resolve.ts';

export interface BookView {
  readonly book: Book;
  readonly library: Library | undefined;
  readonly segments: readonly Segment[];
  readonly chapters: readonly Chapter[];
  readonly cover: Asset | undefined;
  readonly editions: readonly Book[];
  readonly history: readonly HistoryEntry[];
}

const EDITIONS_MAX = 50;
const HISTORY_MAX = 20;

export function showBook({ store }: Audiobooks, given: string): Promise<BookView> {
  return store.snapshot(async (reads) => {
    const book = await resolveBook(reads, given);
    const segments = await activeSegments(reads, book.id);
    const work = book.work_id;
    const same = work === null ? [] : await reads.list(books.by.work, { work_id: work }, { limit: EDITIONS_MAX });
    const history = await historyOfBook(reads, book.id, undefined, { limit: HISTORY_MAX });
    return {
      book,
      library: book.library_id === null ? undefined : await reads.get(libraries, { id: book.library_id }),
      segments,
      chapters: chaptersOfParts(
        segments.map((segment, index) => ({
          title: `Part ${index + 1}`,
          durationMs: segment.duration_ms,
          chapters: segment.chapters,
        })),
      ),
      cover: book.cover_asset_id === null ? undefined : await reads.get(assets, { id: book.cover_asset_id }),
      editions: same.filter(({ id, deleted_at: deleted }) => id !== book.id && deleted === null),
      history: history.items,
    };
  });
}
