import { typingMistakes } from '@holdfast/base';
import { z } from 'zod';
import type { ChapterMark } from './chapters.ts';
import type { BookField, ProviderName, Region } from './choices.ts';
import { readOwnBook } from './dump.ts';
import { checkField, type FieldChanges } from './fields.ts';
import { normalizeName, normalizeText, parseIsbn } from './normalize.ts';
import { plainText } from './sidecar.ts';

/** Books and chapters as providers describe them. The shapes follow the providers' documentation. */

/** A query to a provider. It contains everything that the provider learns about a book. */
export interface MetadataQuery {
  readonly title: string;
  readonly authors: readonly string[];
  readonly isbn: string | null;
  readonly asin: string | null;
  readonly durationMs: number;
  readonly region: Region;
}

/** A book that a provider found. */
export interface FoundBook {
  /** The provider's name and its id for the book: `open-library:OL27448W`. */
  readonly id: string;
  readonly provider: ProviderName;
  readonly fields: FieldChanges;
  readonly coverUrl: string | undefined;
  readonly durationMs: number | undefined;
}

export interface FoundChapters {
  readonly marks: readonly ChapterMark[];
  /** Duration of the recording to which the start times belong; undefined if unknown. */
  readonly durationMs: number | undefined;
}

const BOOKS_MAX = 20;
const GENRES_MAX = 5;
const MINUTE_MS = 60_000;

const openLibraryAnswer = z.object({
  docs: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      subtitle: z.string().optional(),
      author_name: z.array(z.string()).optional(),
      first_publish_year: z.number().optional(),
      language: z.array(z.string()).optional(),
      subject: z.array(z.string()).optional(),
      cover_i: z.number().int().optional(),
    }),
  ),
});

/** Fields of Open Library's search that `readOpenLibrary` uses. */
export const OPEN_LIBRARY_FIELDS: string = Object.keys(openLibraryAnswer.shape.docs.element.shape).join(',');

/**
 * Reads a response from `search.json`. Each entry is a work with the data of all its editions. This function therefore
 * leaves out publisher and ISBN, and also the language if the editions have different ones.
 */
export function readOpenLibrary(answer: unknown): readonly FoundBook[] {
  return openLibraryAnswer.parse(answer).docs.map((work) => ({
    id: `open-library:${work.key.replace(/^\/works\//u, '')}`,
    provider: 'open-library',
    fields: validFields({
      title: work.title,
      subtitle: work.subtitle,
      authors: work.author_name,
      year: work.first_publish_year,
      language: work.language?.length === 1 ? work.language[0] : undefined,
      genres: work.subject?.slice(0, GENRES_MAX),
    }),
    coverUrl:
      work.cover_i === undefined || work.cover_i < 0
        ? undefined
        : `https://covers.openlibrary.org/b/id/${work.cover_i}-L.jpg`,
    durationMs: undefined,
  }));
}

const named = z.object({ name: z.string() });
const audnexusSeries = z.object({ name: z.string(), position: z.string().optional() });
const audnexusBook = z.object({
  asin: z.string(),
  title: z.string(),
  subtitle: z.string().optional(),
  authors: z.array(named),
  narrators: z.array(named).optional(),
  seriesPrimary: audnexusSeries.optional(),
  seriesSecondary: audnexusSeries.optional(),
  releaseDate: z.string(),
  publisherName: z.string(),
  language: z.string(),
  isbn: z.string().optional(),
  summary: z.string(),
  genres: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  formatType: z.string(),
  image: z.string().optional(),
  runtimeLengthMin: z.number(),
});

/** Reads a response from `/books/{ASIN}`. */
export function readAudnexusBook(answer: unknown): FoundBook {
  const book = audnexusBook.parse(answer);
  const series = [book.seriesPrimary, book.seriesSecondary].filter((entry) => entry !== undefined);
  const kind = (type: string): readonly string[] =>
    (book.genres ?? []).filter((genre) => genre.type === type).map(({ name }) => name);
  return {
    id: `audnexus:${book.asin}`,
    provider: 'audnexus',
    fields: validFields({
      title: book.title,
      subtitle: book.subtitle,
      authors: book.authors.map(({ name }) => name),
      narrators: book.narrators?.map(({ name }) => name),
      series: series.map(({ name, position }) => ({ name, sequence: position ?? null })),
      year: Number(book.releaseDate.slice(0, 4)),
      publisher: book.publisherName,
      language: book.language,
      isbn: book.isbn,
      asin: book.asin,
      description: plainText(book.summary),
      genres: kind('genre'),
      tags: kind('tag'),
      edition: book.formatType,
    }),
    coverUrl: book.image,
    durationMs: Math.round(book.runtimeLengthMin * MINUTE_MS),
  };
}

const audnexusChapters = z.object({
  brandIntroDurationMs: z.number(),
  brandOutroDurationMs: z.number(),
  runtimeLengthMs: z.number(),
  chapters: z.array(z.object({ startOffsetMs: z.number(), title: z.string() })),
});

/**
 * Reads a response from `/books/{ASIN}/chapters`. Audible adds a spoken intro and outro. If the book's duration fits
 * better without them, subtracts the intro from the chapter starts.
 */
export function readAudnexusChapters(answer: unknown, durationMs: number): FoundChapters {
  const found = audnexusChapters.parse(answer);
  const { runtimeLengthMs: whole, brandIntroDurationMs: intro, brandOutroDurationMs: outro } = found;
  const bare = whole - intro - outro;
  const isBare = Math.abs(durationMs - bare) < Math.abs(durationMs - whole);
  const marks = found.chapters.map(({ title, startOffsetMs: start }) => ({
    title,
    startMs: Math.max(0, Math.round(isBare ? start - intro : start)),
  }));
  return { marks, durationMs: Math.round(isBare ? bare : whole) };
}

const commandBook = z.object({
  id: z.string().max(200).optional(),
  cover: z.string().optional(),
  duration_ms: z.number().nonnegative().optional(),
});
const commandBooks = z.object({ books: z.array(z.unknown()) });
const commandChapters = z.object({
  chapters: z.array(z.object({ title: z.string().default(''), start_ms: z.number().nonnegative() })),
  duration_ms: z.number().nonnegative().optional(),
});

/** Reads the books that a command printed. They have the fields of an imported metadata file. */
export function readCommandBooks(answer: unknown): readonly FoundBook[] {
  return commandBooks
    .parse(answer)
    .books.slice(0, BOOKS_MAX)
    .map((value, index) => {
      const { id, cover, duration_ms: durationMs } = commandBook.parse(value);
      return {
        id: `command:${id ?? index + 1}`,
        provider: 'command',
        fields: validFields({ ...readOwnBook(value)?.fields }),
        coverUrl: cover,
        durationMs,
      };
    });
}

export function readCommandChapters(answer: unknown): FoundChapters {
  const { chapters, duration_ms: durationMs } = commandChapters.parse(answer);
  return {
    marks: chapters.map(({ title, start_ms: startMs }) => ({ title, startMs: Math.round(startMs) })),
    durationMs,
  };
}

/** Drops missing, empty and invalid values, because a provider never clears a field. */
function validFields(given: Readonly<Partial<Record<BookField, unknown>>>): FieldChanges {
  const valid: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(given) as [BookField, unknown][]) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    try {
      valid[field] = checkField(field, value);
    } catch {
      continue;
    }
  }
  return valid;
}

const WEIGHTS = { title: 6, authors: 3, duration: 1 } as const;
const COMPARED_MAX = 200;

/**
 * Returns the probability, in percent, that the found book is the one in the query. If the ISBN or ASIN is equal, the
 * match is certain.
 */
export function confidenceOf(query: MetadataQuery, { fields, durationMs }: FoundBook): number {
  if (query.asin !== null && fields.asin?.toUpperCase() === query.asin.toUpperCase()) return 100;
  const isbn = parseIsbn(fields.isbn ?? null).isbn13;
  if (isbn !== null && isbn === parseIsbn(query.isbn).isbn13) return 100;
  const { title = '', subtitle } = fields;
  const titles = [title, `${title} ${subtitle ?? ''}`].map((text) => similarity(normalizeText(text), query.title));
  const parts: (readonly [weight: number, score: number])[] = [[WEIGHTS.title, Math.max(...titles)]];
  const [author] = fields.authors ?? [];
  if (author !== undefined && query.authors.length > 0) {
    const scores = query.authors.map((name) => similarity(normalizeName(author), normalizeName(name)));
    parts.push([WEIGHTS.authors, Math.max(...scores)]);
  }
  if (durationMs !== undefined && durationMs > 0 && query.durationMs > 0) {
    const [shorter, longer] = [durationMs, query.durationMs].sort((left, right) => left - right);
    parts.push([WEIGHTS.duration, (shorter ?? 0) / (longer ?? 1)]);
  }
  const weight = parts.reduce((sum, [each]) => sum + each, 0);
  const score = parts.reduce((sum, [each, value]) => sum + each * value, 0) / weight;
  // Only an equal ISBN or ASIN is certain, because two books can have the same title.
  return Math.min(99, Math.round(100 * score));
}

function similarity(left: string, right: string): number {
  const [one, other] = [left.slice(0, COMPARED_MAX), normalizeText(right).slice(0, COMPARED_MAX)];
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 0 : 1 - typingMistakes(one, other) / longer;
}
