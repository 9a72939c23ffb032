import type { PageRequest } from '../../operations/fields.ts';
import { isUlid, type Page, type Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import type { ListeningState } from '../../model/choices.ts';
import { audiobookErrors } from '../../model/errors.ts';
import {
  asksForState,
  type Circumstances,
  type Condition,
  type GroupField,
  matchesQuery,
  type SmartQuery,
  wantedValue,
} from '../../model/smart-query.ts';
import { authors, bookCounts, books, progress, series } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';
import { latestFirst } from '../listening/progress.ts';
import { fittingPage } from '../queries/browse-books.ts';

/**
 * Maximum number of books examined per page. A page may have fewer results than requested although more pages follow.
 */
const EXAMINED_MAX = 500;
const CHUNK = 100;

/**
 * Returns a page of books that match a query, in the order that the query requests. Walks the smallest index with this
 * order and examines a limited number of books, so a page may be short or empty although more pages follow.
 */
export function evaluateQuery(
  { reader, now }: Audiobooks,
  listener: Listener,
  query: SmartQuery,
  request: PageRequest,
): Promise<Page<Book>> {
  const place = readCursor(request.cursor);
  const left = query.limit === null ? Number.POSITIVE_INFINITY : query.limit - place.given;
  const wanted = Math.min(request.limit, left);
  return reader.snapshot(async (reads) => {
    const walk = await chooseWalk(reads, query, listener.userId);
    const found: Book[] = [];
    let examined = 0;
    let cursor = place.cursor;
    while (found.length < wanted && examined < EXAMINED_MAX) {
      // Reads no more books than are still needed: the cursor points after the last book read, so surplus books would
      // be skipped.
      const page = await walk(reads, { limit: Math.min(CHUNK, wanted - found.length), cursor });
      examined += page.items.length;
      for (const book of page.items) if (await fits(reads, listener, query, book, now())) found.push(book);
      ({ cursor } = page);
      if (cursor === undefined) break;
    }
    const given = place.given + found.length;
    const isOver = cursor === undefined || (query.limit !== null && given >= query.limit);
    return { items: found, cursor: isOver ? undefined : writeCursor({ cursor, given }) };
  });
}

type Walk = (reads: Reads, page: PageRequest) => Promise<Page<Book>>;

async function chooseWalk(reads: Reads, query: SmartQuery, user: string): Promise<Walk> {
  if (query.sort === 'recent') return recentBooks(user);
  if (query.sort === 'author') return (from, page) => from.page(books.by.sortAuthor, {}, page);
  // Newest first: ids are ordered by time.
  if (query.sort === 'added') return (from, page) => from.page(books, {}, { ...page, reverse: true });
  return (await narrowest(reads, query.all ?? [])) ?? ((from, page) => from.page(books.by.sortTitle, {}, page));
}

/** Returns a walk over the index of the condition that matches the fewest books. */
async function narrowest(reads: Reads, conditions: readonly Condition[]): Promise<Walk | undefined> {
  let best: { readonly walk: Walk; readonly size: number } | undefined;
  for (const condition of conditions) {
    if (condition.op !== 'is' || !isGroup(condition)) continue;
    const found = await groupWalk(reads, condition.field, wantedValue(condition.field, condition.value));
    if (found !== undefined && (best === undefined || found.size < best.size)) best = found;
  }
  return best?.walk;
}

function isGroup(condition: Condition): condition is Condition & { field: GroupField; value: string } {
  return ['author', 'series', 'narrator', 'genre', 'tag', 'language'].includes(condition.field);
}

async function groupWalk(
  reads: Reads,
  kind: GroupField,
  wanted: string,
): Promise<{ readonly walk: Walk; readonly size: number } | undefined> {
  const value = kind === 'author' || kind === 'series' ? await onlyIdOf(reads, kind, wanted) : wanted;
  if (value === undefined) return undefined;
  const walk: Walk = (from, page) => fittingPage(from, { kind, value }, page);
  // No counter holds the number of books per language, so languages count as the largest set.
  const size = kind === 'language' ? Number.MAX_SAFE_INTEGER : await reads.get(bookCounts, { kind, value });
  return { walk, size };
}

function recentBooks(user: string): Walk {
  return async (reads, page) => {
    const places = await reads.page(progress.by.recent, { user_id: user }, { ...page, reverse: true });
    const found = await reads.getMany(
      books,
      latestFirst(places.items).map(({ book_id: id }) => ({ id })),
    );
    return { items: found.filter((book) => book !== undefined), cursor: places.cursor };
  };
}

async function fits(reads: Reads, listener: Listener, query: SmartQuery, book: Book, now: number): Promise<boolean> {
  if (book.deleted_at !== null || !listener.sees(book)) return false;
  const [state = 'unstarted'] = asksForState(query) ? await statesOf(reads, listener.userId, [book.id]) : [];
  const circumstances: Circumstances = { state, now };
  return matchesQuery(query, book, circumstances);
}

/** Returns the states of all books, with a single read. */
export async function statesOf(
  reads: Reads,
  user: string,
  bookIds: readonly string[],
): Promise<readonly ListeningState[]> {
  const places = await reads.getMany(
    progress,
    bookIds.map((id) => ({ user_id: user, book_id: id })),
  );
  return places.map((place) => {
    if (place === undefined || !place.started) return 'unstarted';
    return place.finished ? 'finished' : 'started';
  });
}

interface CursorPlace {
  readonly cursor: string | undefined;
  /** Number of books on earlier pages. It is needed because the query's limit applies to all pages together. */
  readonly given: number;
}

function readCursor(text: string | undefined): CursorPlace {
  if (text === undefined) return { cursor: undefined, given: 0 };
  const match = /^(\d{1,9})\.(.+)$/u.exec(text);
  if (match === null) throw audiobookErrors.QUERY_INVALID('The cursor belongs to another list.');
  return { given: Number(match[1]), cursor: match[2] };
}

function writeCursor({ cursor, given }: CursorPlace): string {
  return `${given}.${cursor ?? ''}`;
}

/** Returns the id of the author or series with this id or normalised name; undefined if there is none, or several. */
async function onlyIdOf(reads: Reads, kind: 'author' | 'series', value: string): Promise<string | undefined> {
  if (isUlid(value)) return value;
  const { name } = kind === 'author' ? authors.by : series.by;
  const found = await reads.list(name as typeof authors.by.name, { normalized_name: value }, { limit: 2 });
  return found.length === 1 ? found[0]?.id : undefined;
}
