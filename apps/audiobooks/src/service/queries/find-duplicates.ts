import type { PageRequest } from '../../operations/fields.ts';
import { afterKey, compareKeys, type Page, type Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { normalizeName } from '../../model/normalize.ts';
import { readBook } from '../../store/books.ts';
import { books, segments } from '../../store/definitions.ts';
import { activeSegments } from '../../store/timelines.ts';
import type { Audiobooks } from '../audiobooks.ts';

type DuplicateReason = 'same_files' | 'same_number' | 'same_reading';

export interface DuplicateGroup {
  readonly reason: DuplicateReason;
  readonly books: readonly Book[];
  /** Each other book contains at least this percentage of the longest book's audio. Set only for `same_files`. */
  readonly overlapPercent?: number;
}

/** Index entries examined per page. */
const EXAMINED_MAX = 20_000;

/**
 * Finds probable duplicates among the books that the caller may see: mostly equal audio, the same ISBN or ASIN,
 * or one work with the same narrators and about the same duration. Different narrations of a work are editions.
 *
 * Walks the indexes and loads books only if two entries are equal, so a library without duplicates costs only an index
 * scan. A page may be empty and still have a cursor.
 */
export async function duplicatesPage(
  audiobooks: Audiobooks,
  isVisible: (book: Book) => boolean,
  { limit, cursor }: PageRequest,
): Promise<Page<DuplicateGroup>> {
  const items: DuplicateGroup[] = [];
  let examined = 0;
  for await (const look of scanIndexes(audiobooks, cursor)) {
    for (const group of look.groups) {
      const visible = group.books.filter(isVisible);
      if (visible.length > 1) items.push({ ...group, books: visible });
    }
    examined += look.examined;
    if (items.length >= limit || examined >= EXAMINED_MAX) return { items, cursor: look.place };
  }
  return { items, cursor: undefined };
}

const sources = [
  { reason: 'same_files', range: () => segments.by.hash.template.range({}), toBook: bookOfSegment },
  { reason: 'same_number', range: () => books.by.isbn13.template.range({}), toBook: idOnly },
  { reason: 'same_number', range: () => books.by.asin.template.range({}), toBook: idOnly },
  { reason: 'same_reading', range: () => books.by.work.template.range({}), toBook: idOnly },
] as const;

interface Look {
  readonly groups: readonly DuplicateGroup[];
  readonly examined: number;
  /** Cursor after this entry. */
  readonly place: string;
}

/** Walks all indexes. The cursor consists of the number of the index and a key in it. */
async function* scanIndexes(audiobooks: Audiobooks, place: string | undefined): AsyncGenerator<Look, void, undefined> {
  const [, first = '0', from] = /^(\d)\|(.*)$/su.exec(place ?? '') ?? [];
  const reported = new Set<string>();
  for (let index = Number(first); index < sources.length; index += 1) {
    const { reason, range, toBook } = sources[index] ?? sources[0];
    const { gte, lt } = range();
    const start = from !== undefined && index === Number(first) && compareKeys(from, gte) > 0 ? from : gte;
    for await (const { ids, examined, next } of neighbours(audiobooks, { gte: start, lt }, toBook)) {
      const groups = ids.size < 2 ? [] : await groupsOf(audiobooks, reason, ids, reported);
      yield { groups, examined, place: `${index}|${next}` };
    }
  }
}

async function groupsOf(
  { store }: Audiobooks,
  reason: DuplicateReason,
  ids: ReadonlySet<string>,
  reported: Set<string>,
): Promise<readonly DuplicateGroup[]> {
  const found = await Promise.all([...ids].map((id) => readBook(store, id)));
  const listed = found.filter((book) => book !== undefined && book.deleted_at === null) as Book[];
  const groups: DuplicateGroup[] = [];
  for (const same of await candidates(store, reason, listed)) {
    const key = same.books
      .map(({ id }) => id)
      .sort()
      .join();
    if (same.books.length < 2 || reported.has(key)) continue;
    reported.add(key);
    groups.push({ reason, ...same });
  }
  return groups;
}

async function candidates(
  reads: Reads,
  reason: DuplicateReason,
  listed: readonly Book[],
): Promise<readonly Omit<DuplicateGroup, 'reason'>[]> {
  if (reason === 'same_files') return sharingAudio(reads, listed);
  return (reason === 'same_reading' ? readings(listed) : [listed]).map((same) => ({ books: same }));
}

/** A file that occurs in more books than this is a jingle or silence. Real copies have other files in common too. */
const SHARED_MAX = 50;
const SAME_AUDIO_RATIO = 0.5;

/** Groups books that share most of their audio with the longest book. */
async function sharingAudio(
  reads: Reads,
  listed: readonly Book[],
): Promise<readonly { readonly books: readonly Book[]; readonly overlapPercent: number }[]> {
  if (listed.length > SHARED_MAX) return [];
  const groups: { readonly books: Book[]; readonly audio: Audio; overlap: number }[] = [];
  for (const book of [...listed].sort((left, right) => right.duration_ms - left.duration_ms)) {
    const files = await activeSegments(reads, book.id);
    const audio: Audio = new Map(files.map(({ quick_hash: hash, duration_ms: duration }) => [hash ?? '', duration]));
    const group = groups.find((one) => sharedRatio(one.audio, audio) > SAME_AUDIO_RATIO);
    if (group === undefined) groups.push({ books: [book], audio, overlap: 1 });
    else {
      group.overlap = Math.min(group.overlap, sharedRatio(group.audio, audio));
      group.books.push(book);
    }
  }
  return groups.map(({ books: same, overlap }) => ({ books: same, overlapPercent: Math.floor(overlap * 100) }));
}

/** Duration of each audio file, by hash. */
type Audio = ReadonlyMap<string, number>;

function sharedRatio(longer: Audio, other: Audio): number {
  let [total, shared] = [0, 0];
  for (const [hash, duration] of longer) {
    total += duration;
    if (other.has(hash)) shared += duration;
  }
  return total === 0 ? 0 : shared / total;
}

const SAME_LENGTH_RATIO = 0.02;

/** Groups books with the same narrators and about the same duration. */
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

type ToBook = (audiobooks: Audiobooks, id: string) => Promise<string | undefined>;

function idOnly(_audiobooks: Audiobooks, id: string): Promise<string | undefined> {
  return Promise.resolve(id);
}

async function bookOfSegment({ store }: Audiobooks, id: string): Promise<string | undefined> {
  const segment = await store.get(segments, { id });
  return segment?.active === true ? segment.book_id : undefined;
}

const PAGE = 1_000;

interface Run {
  /** Books whose index entries differ only in the id. Empty if this item only reports how far the walk got. */
  readonly ids: ReadonlySet<string>;
  readonly examined: number;
  /** The first key after this run. */
  readonly next: string;
}

/** Yields runs of index entries that differ only in the id, which follows the last colon of the key. */
async function* neighbours(
  audiobooks: Audiobooks,
  { gte: from, lt }: { readonly gte: string; readonly lt: string },
  toBook: ToBook,
): AsyncGenerator<Run, void, undefined> {
  let gte = from;
  let shared = '';
  let run: string[] = [];
  for (;;) {
    const entries = await audiobooks.store.engine.range({ gte, lt, limit: PAGE, reverse: false });
    for (const [key] of entries) {
      const end = key.lastIndexOf(':');
      if (key.slice(0, end) !== shared) {
        if (run.length > 1) yield { ids: await distinctBooks(audiobooks, run, toBook), examined: 0, next: key };
        shared = key.slice(0, end);
        run = [];
      }
      run.push(key.slice(end + 1));
    }
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) break;
    gte = afterKey(last[0]);
    // A caller that stops here continues later with `next`, the start of the unfinished run.
    yield { ids: new Set(), examined: entries.length, next: `${shared}:` };
  }
  if (run.length > 1) yield { ids: await distinctBooks(audiobooks, run, toBook), examined: 0, next: lt };
}

async function distinctBooks(
  audiobooks: Audiobooks,
  run: readonly string[],
  toBook: ToBook,
): Promise<ReadonlySet<string>> {
  const ids = await Promise.all(run.map((id) => toBook(audiobooks, id)));
  return new Set(ids.filter((id) => id !== undefined));
}
