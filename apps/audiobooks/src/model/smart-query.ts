import { z } from 'zod';
import { LISTENING_STATES, type ListeningState, SMART_SORTS } from './choices.ts';
import type { Book } from './book.ts';
import { normalizeName, normalizeText } from './normalize.ts';

/**
 * The query of a smart playlist. A book must meet all or any of the conditions. The query runs each time the playlist
 * is read.
 */

const word = z.string().min(1).max(200);
const equality = z.enum(['is', 'is_not']);
const comparison = z.enum(['is', 'less', 'more']);

const conditionShape = z.union([
  z.object({ field: z.literal('title'), op: z.enum(['contains', 'is', 'starts']), value: word }),
  z.object({
    field: z.enum(['author', 'series', 'narrator', 'genre', 'tag', 'language']).meta({
      description: 'Authors and series by id or name',
    }),
    op: equality,
    value: word,
  }),
  z.object({ field: z.literal('year'), op: comparison, value: z.int() }),
  z.object({
    field: z.literal('duration').meta({ description: 'In minutes' }),
    op: comparison,
    value: z.number().nonnegative(),
  }),
  z.object({ field: z.literal('added'), op: z.enum(['before', 'after']), value: z.iso.date() }),
  z.object({ field: z.literal('added'), op: z.literal('in_last_days'), value: z.int().min(1).max(36_500) }),
  z.object({ field: z.literal('state'), op: equality, value: z.enum(LISTENING_STATES) }),
]);
export type Condition = z.infer<typeof conditionShape>;

const CONDITIONS_MAX = 20;

export const smartQueryShape = z
  .object({
    all: z.array(conditionShape).max(CONDITIONS_MAX).optional(),
    any: z.array(conditionShape).max(CONDITIONS_MAX).optional(),
    sort: z
      .enum(SMART_SORTS)
      .default('title')
      .meta({ description: 'Sort order; added and recent list the newest books first' }),
    limit: z.int().min(1).max(10_000).nullable().default(null),
  })
  .refine(({ all, any }) => (all === undefined) !== (any === undefined), 'needs either all or any');
export type SmartQuery = z.infer<typeof smartQueryShape>;

/** Data, besides the book itself, that decides whether a book matches. */
export interface Circumstances {
  readonly state: ListeningState;
  readonly now: number;
}

export function matchesQuery(query: SmartQuery, book: Book, circumstances: Circumstances): boolean {
  const holds = (condition: Condition): boolean => matches(condition, book, circumstances);
  return query.any === undefined ? (query.all ?? []).every(holds) : query.any.some(holds);
}

export function asksForState({ all = [], any = [] }: SmartQuery): boolean {
  return [...all, ...any].some(({ field }) => field === 'state');
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function matches(condition: Condition, book: Book, { state, now }: Circumstances): boolean {
  if (condition.field === 'title') {
    return matchesTitle(book.normalized_title, condition.op, normalizeText(condition.value));
  }
  if (condition.field === 'year') {
    return book.published_year !== null && compare(book.published_year, condition.op, condition.value);
  }
  if (condition.field === 'duration') {
    return compare(Math.round(book.duration_ms / MINUTE_MS), condition.op, condition.value);
  }
  if (condition.field === 'added') return matchesAdded(book.created_at, condition, now);
  const isSo =
    condition.field === 'state'
      ? state === condition.value
      : valuesOf[condition.field](book).includes(wantedValue(condition.field, condition.value));
  return isSo === (condition.op === 'is');
}

function matchesTitle(title: string, op: 'contains' | 'is' | 'starts', value: string): boolean {
  if (op === 'is') return title === value;
  return op === 'starts' ? title.startsWith(value) : title.includes(value);
}

function compare(value: number, op: 'is' | 'less' | 'more', than: number): boolean {
  if (op === 'is') return value === than;
  return op === 'less' ? value < than : value > than;
}

function matchesAdded(
  at: string,
  { op, value }: { readonly op: string; readonly value: string | number },
  now: number,
): boolean {
  if (typeof value === 'number') return Date.parse(at) >= now - value * DAY_MS;
  return op === 'before' ? at < value : at.slice(0, 'YYYY-MM-DD'.length) > value;
}

export type GroupField = 'author' | 'series' | 'narrator' | 'genre' | 'tag' | 'language';

/** For each field, returns the book's values that a condition is compared with. */
const valuesOf: Readonly<Record<GroupField, (book: Book) => readonly string[]>> = {
  author: (book) => book.authors.flatMap(({ id, name }) => [id, normalizeName(name)]),
  series: (book) => book.series.flatMap(({ id, name }) => [id, normalizeText(name)]),
  narrator: (book) => book.narrators.map(normalizeName),
  genre: (book) => book.genres.map(normalizeText),
  tag: (book) => book.tags.map((tag) => tag.toLowerCase()),
  language: (book) => (book.language === null ? [] : [book.language.toLowerCase()]),
};

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/u;

/** Returns the normalised form of a value, which is compared and indexed. */
export function wantedValue(field: GroupField, value: string): string {
  if (ULID.test(value)) return value;
  if (field === 'author' || field === 'narrator') return normalizeName(value);
  return field === 'series' || field === 'genre' ? normalizeText(value) : value.toLowerCase();
}
