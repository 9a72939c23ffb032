import { afterKey } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { normalizeName } from '../../model/normalize.ts';
import { readBook } from '../../store/books.ts';
import { books, segments } from '../../store/definitions.ts';
import type { Catalogue } from '../catalogue.ts';

type DuplicateReason = 'same_files' | 'same_number' | 'same_reading';

export interface DuplicateGroup {
  readonly reason: DuplicateReason;
  readonly books: readonly Book[];
}

/**
 * Books that are probably there twice: the same sound in two places, one ISBN or ASIN, or one work read by the same
 * people for about the same time. Different readings of one work are editions, not duplicates.
 *
 * Goes along the indexes and looks at books only where two entries meet, so that a library without duplicates costs no
 * more than its index.
 */
export async function* findDuplicates(catalogue: Catalogue): AsyncGenerator<DuplicateGroup, void, undefined> {
  const reported = new Set<string>();
  const sources = [
    ['same_files', neighbours(catalogue, segments.by.hash.template.range({}), bookOfSegment)],
    ['same_number', neighbours(catalogue, books.by.isbn13.template.range({}), idOnly)],
    ['same_number', neighbours(catalogue, books.by.asin.template.range({}), idOnly)],
    ['same_reading', neighbours(catalogue, books.by.work.template.range({}), idOnly)],
  ] as const;
  for (const [reason, groups] of sources) {
    for await (const ids of groups) {
      const found = await Promise.all([...ids].map((id) => readBook(catalogue.store, id)));
      const listed = found.filter((book) => book !== undefined && book.deleted_at === null) as Book[];
      for (const same of reason === 'same_reading' ? readings(listed) : [listed]) {
        const key = same
          .map(({ id }) => id)
          .sort()
          .join();
        if (same.length < 2 || reported.has(key)) continue;
        reported.add(key);
        yield { reason, books: same };
      }
    }
  }
}

const SAME_LENGTH_RATIO = 0.02;

/** Those that the same people read for about the same time. */
function readings(editions: readonly Book[]): readonly (readonly Book[])[] {
  const groups: Book[][] = [];
  for (const book of editions) {
    const group = groups.find(([first]) => first !== undefined && isSameReading(first, book));
    if (group === undefined) groups.push([book]);
    else group.push(book);
  }
  return groups;
}

function isSameReading(left: Book, right: Book): boolean {
  const longer = Math.max(left.duration_ms, right.duration_ms);
  return (
    readersOf(left) === readersOf(right) && Math.abs(left.duration_ms - right.duration_ms) <= SAME_LENGTH_RATIO * longer
  );
}

function readersOf({ narrators }: Book): string {
  return narrators.map(normalizeName).sort().join();
}

type Entry = readonly [key: string, id: string];
type ToBook = (catalogue: Catalogue, id: string) => Promise<string | undefined>;

const idOnly: ToBook = (_catalogue, id) => Promise.resolve(id);
const bookOfSegment: ToBook = async ({ store }, id) => {
  const segment = await store.get(segments, { id });
  return segment?.active === true ? segment.book_id : undefined;
};

const PAGE = 1_000;

/** Runs of index entries that differ only in the id at their end. Text in keys has no colon of its own. */
async function* neighbours(
  catalogue: Catalogue,
  { gte: from, lt }: { readonly gte: string; readonly lt: string },
  toBook: ToBook,
): AsyncGenerator<ReadonlySet<string>, void, undefined> {
  let gte = from;
  let run: Entry[] = [];
  for (;;) {
    const entries = await catalogue.store.engine.range({ gte, lt, limit: PAGE, reverse: false });
    for (const [key] of entries) {
      const end = key.lastIndexOf(':');
      const shared = key.slice(0, end);
      if (run[0] !== undefined && run[0][0] !== shared) {
        yield* distinctBooks(catalogue, run, toBook);
        run = [];
      }
      run.push([shared, key.slice(end + 1)]);
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) break;
    gte = afterKey(last[0]);
  }
  yield* distinctBooks(catalogue, run, toBook);
}

async function* distinctBooks(
  catalogue: Catalogue,
  run: readonly Entry[],
  toBook: ToBook,
): AsyncGenerator<ReadonlySet<string>, void, undefined> {
  if (run.length < 2) return;
  const ids = await Promise.all(run.map(([, id]) => toBook(catalogue, id)));
  const distinct = new Set(ids.filter((id) => id !== undefined));
  if (distinct.size > 1) yield distinct;
}
