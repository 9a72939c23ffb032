import { SECOND } from '@holdfast/base';
import type { Book } from '../../model/book.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import { seriesSortKey } from '../../model/series-position.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

/** The fields of a book by which clients filter and sort, kept in memory. */
export interface Entry {
  readonly id: string;
  readonly library: string;
  readonly title: string;
  readonly authorSort: string;
  readonly authors: readonly { readonly id: string; readonly name: string }[];
  readonly series: readonly { readonly id: string; readonly name: string; readonly sequence: string | null }[];
  readonly narrators: readonly string[];
  readonly genres: readonly string[];
  readonly tags: readonly string[];
  readonly language: string | null;
  readonly publisher: string | null;
  readonly year: number | null;
  readonly durationMs: number;
  readonly bytes: number;
  readonly files: number;
  readonly addedAt: string;
  readonly updatedAt: string;
  readonly isMissing: boolean;
  readonly isAbridged: boolean;
}

function entryOf(book: Book, library: string): Entry {
  return {
    id: book.id,
    library,
    title: book.sort_title,
    authorSort: book.author_sort,
    authors: book.authors.map(({ id, name }) => ({ id, name })),
    series: book.series,
    narrators: book.narrators,
    genres: book.genres,
    tags: book.tags,
    language: book.language,
    publisher: book.publisher,
    year: book.published_year,
    durationMs: book.duration_ms,
    bytes: book.size_bytes,
    files: book.segment_count,
    addedAt: book.created_at,
    updatedAt: book.updated_at,
    isMissing: book.missing_since !== null,
    isAbridged: book.edition === 'abridged',
  };
}

/** Maximum time that a request waits for other processes' commits to arrive in memory. */
const WAIT_MS = SECOND;

/**
 * All listed books in memory. Clients jump to any page in any sort order and need exact totals; the database's cursors
 * offer neither. The catalogue follows the commits, so after a change it loads only the changed books.
 */
export class Catalogue {
  readonly #audiobooks: Audiobooks;
  readonly #entries = new Map<string, Entry>();
  /** Sorted lists by library and order; discarded when a book changes. */
  readonly #sorted = new Map<string, readonly Entry[]>();
  readonly #derived = new Map<string, unknown>();
  #loading: Promise<void> | undefined;
  #seen = -1;
  #waiting: (() => void)[] = [];

  constructor(audiobooks: Audiobooks) {
    this.#audiobooks = audiobooks;
  }

  /**
   * Returns the books in a library, sorted. `order` names the order including its direction. Books that compare as
   * equal keep their order in both directions.
   */
  async sorted(library: string, order: string, compare: (left: Entry, right: Entry) => number) {
    await this.#current();
    const key = `${library} ${order}`;
    const known = this.#sorted.get(key);
    if (known !== undefined) return known;
    const made = [...this.#entries.values()].filter((entry) => entry.library === library).sort(compare);
    this.#sorted.set(key, made);
    return made;
  }

  byTitle(library: string): Promise<readonly Entry[]> {
    return this.sorted(library, 'title', compareTitles);
  }

  /** Caches a value computed from the books of a library until any book changes. */
  async derived<Value>(library: string, name: string, compute: (entries: readonly Entry[]) => Value): Promise<Value> {
    const entries = await this.byTitle(library);
    const key = `${library} ${name}`;
    if (!this.#derived.has(key)) this.#derived.set(key, compute(entries));
    return this.#derived.get(key) as Value;
  }

  /** Waits until all commits so far are in memory. */
  async #current(): Promise<void> {
    await (this.#loading ??= this.#load());
    const head = await this.#audiobooks.store.revision();
    const deadline = Date.now() + WAIT_MS;
    while (this.#seen < head && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        setTimeout(resolve, WAIT_MS).unref();
      });
    }
  }

  async #load(): Promise<void> {
    const { store, reader, closing } = this.#audiobooks;
    const since = await store.revision();
    this.#entries.clear();
    for await (const book of reader.scan(books, {})) this.#put(book.id, book);
    this.#changed(since);
    void this.#follow(since, closing).catch(() => {
      // Makes the next request load everything again.
      this.#loading = undefined;
    });
  }

  async #follow(since: number, signal: AbortSignal): Promise<void> {
    for await (const { changes, revision, reset } of this.#audiobooks.store.watchPrefix('', { since, signal })) {
      if (reset) throw new Error('The database was replaced.');
      let isChanged = false;
      for (const { key, after } of changes) {
        if (!books.template.matches(key)) continue;
        const { id } = books.template.decode(key) as { readonly id: string };
        this.#put(id, after === undefined ? undefined : books.codec.decode(after, key));
        isChanged = true;
      }
      this.#changed(revision, isChanged);
    }
  }

  #put(id: string, book: Book | undefined): void {
    if (book === undefined || book.deleted_at !== null || book.library_id === null) this.#entries.delete(id);
    else this.#entries.set(id, entryOf(book, book.library_id));
  }

  #changed(revision: number, isChanged = true): void {
    this.#seen = revision;
    if (isChanged) {
      this.#sorted.clear();
      this.#derived.clear();
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

const textOrder = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const compareTitles = (left: Entry, right: Entry): number =>
  textOrder(left.title, right.title) || textOrder(left.id, right.id);

/** Sort functions by the names that clients send. For an unknown name, books are sorted by title. */
const orders = new Map(
  Object.entries<(left: Entry, right: Entry) => number>({
    'media.metadata.authorName': (left, right) => textOrder(nameOf(left), nameOf(right)),
    'media.metadata.authorNameLF': (left, right) => textOrder(left.authorSort, right.authorSort),
    'media.metadata.publishedYear': (left, right) => (left.year ?? 0) - (right.year ?? 0),
    'media.duration': (left, right) => left.durationMs - right.durationMs,
    'media.numTracks': (left, right) => left.files - right.files,
    size: (left, right) => left.bytes - right.bytes,
    addedAt: (left, right) => textOrder(left.addedAt, right.addedAt),
    birthtimeMs: (left, right) => textOrder(left.addedAt, right.addedAt),
    mtimeMs: (left, right) => textOrder(left.updatedAt, right.updatedAt),
    updatedAt: (left, right) => textOrder(left.updatedAt, right.updatedAt),
  }),
);

const nameOf = ({ authors }: Entry): string => authors.map(({ name }) => name.toLowerCase()).join(', ');

export function orderOf(sort: string, isReverse: boolean): (left: Entry, right: Entry) => number {
  const compare = orders.get(sort) ?? compareTitles;
  const direction = isReverse ? -1 : 1;
  return (left, right) => direction * compare(left, right) || compareTitles(left, right);
}

/** Returns the sort key of a book's position in a series. */
export function positionIn({ series }: Entry, id: string): string {
  const membership = series.find((each) => each.id === id);
  return seriesSortKey(membership?.sequence ?? undefined);
}

export interface Filter {
  readonly group: string;
  readonly value: string;
}

/**
 * Parses a filter: `group.value`, with the value in base64. The query has already been percent-decoded once, but some
 * clients encode the value twice.
 */
export function parseFilter(text: string | null): Filter | undefined {
  if (text === null || text === '') return undefined;
  const dot = text.indexOf('.');
  if (dot < 0) return { group: text, value: '' };
  const encoded = text.slice(dot + 1);
  let unescaped = encoded;
  try {
    unescaped = decodeURIComponent(encoded);
  } catch {
    // The client encoded the value only once, so it is used as it is.
  }
  return { group: text.slice(0, dot), value: Buffer.from(unescaped, 'base64').toString('utf8') };
}

/** Data that filters need in addition to the entries. */
export interface FilterContext {
  /** Converts the client's id for an author or a series to our id. */
  readonly id: (client: string) => string | undefined;
  readonly state: (book: string) => 'finished' | 'in-progress' | 'not-started';
}

/**
 * Returns whether a book passes a filter. `group` is a name that clients send; an unknown group accepts every book.
 */
export function accepts(entry: Entry, { group, value }: Filter, context: FilterContext): boolean {
  switch (group) {
    case 'genres':
      return entry.genres.some((genre) => normalizeText(genre) === normalizeText(value));
    case 'tags':
      return entry.tags.some((tag) => tag.toLowerCase() === value.toLowerCase());
    case 'authors':
      return entry.authors.some(({ id }) => id === context.id(value));
    case 'series':
      return value === 'no-series'
        ? entry.series.length === 0
        : entry.series.some(({ id }) => id === context.id(value));
    case 'narrators':
      return entry.narrators.some((name) => normalizeName(name) === normalizeName(value));
    case 'languages':
      return entry.language?.toLowerCase() === value.toLowerCase();
    case 'publishers':
      return entry.publisher === value;
    case 'publishedDecades':
      return entry.year !== null && Math.floor(entry.year / 10) * 10 === Number(value);
    case 'progress': {
      const state = context.state(entry.id);
      return value === 'not-finished' ? state !== 'finished' : state === value;
    }
    case 'tracks':
      return value === 'single' ? entry.files === 1 : value === 'multi' ? entry.files > 1 : entry.files === 0;
    case 'missing':
      return isEmptyField(entry, value);
    case 'abridged':
      return entry.isAbridged;
    case 'issues':
      return entry.isMissing;
    case 'ebooks':
    case 'explicit':
    case 'feed-open':
      return false;
    default:
      return true;
  }
}

function isEmptyField(entry: Entry, field: string): boolean {
  const values = new Map(
    Object.entries<readonly unknown[]>({
      authors: entry.authors,
      series: entry.series,
      narrators: entry.narrators,
      genres: entry.genres,
      tags: entry.tags,
      language: [entry.language],
      publisher: [entry.publisher],
      publishedYear: [entry.year],
    }),
  );
  return (values.get(field) ?? []).every((value) => value === null);
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly addedAt: string;
  readonly updatedAt: string;
}

/** Groups books by author, series or narrator, sorted by name. Narrators have no id. */
export function groupsOf(
  entries: readonly Entry[],
  namesOf: (entry: Entry) => readonly { readonly id: string; readonly name: string }[],
): readonly Group[] {
  const found = new Map<string, { id: string; name: string; entries: Entry[] }>();
  for (const entry of entries) {
    for (const { id, name } of namesOf(entry)) {
      const group = found.get(id);
      if (group === undefined) found.set(id, { id, name, entries: [entry] });
      else group.entries.push(entry);
    }
  }
  return [...found.values()]
    .map((group) => ({
      ...group,
      addedAt: group.entries.reduce((first, { addedAt }) => (addedAt < first ? addedAt : first), '9'),
      updatedAt: group.entries.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), ''),
    }))
    .sort((left, right) => textOrder(left.name.toLowerCase(), right.name.toLowerCase()));
}

/** Returns the values that clients offer as filters. */
export function filterLists(entries: readonly Entry[]) {
  const distinct = (values: (entry: Entry) => readonly (string | null)[]): string[] =>
    [...new Set(entries.flatMap(values).filter((value) => value !== null))].sort(textOrder);
  return {
    genres: distinct(({ genres }) => genres),
    tags: distinct(({ tags }) => tags),
    narrators: distinct(({ narrators }) => narrators),
    languages: distinct(({ language }) => [language]),
    publishers: distinct(({ publisher }) => [publisher]),
    publishedDecades: distinct(({ year }) => [year === null ? null : String(Math.floor(year / 10) * 10)]),
  };
}
