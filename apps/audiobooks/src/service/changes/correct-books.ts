import type { Book } from '../../model/book.ts';
import type { BookField } from '../../model/choices.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { checkField, type FieldChanges, fieldValues, sameValue } from '../../model/fields.ts';
import { matchName, type NamePattern, parseNamePattern, type PatternField } from '../../model/name-pattern.ts';
import { splitPeople } from '../../model/names/people.ts';
import { readBook, writeBook } from '../../store/books.ts';
import { books } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { allLibraries, findLibrary } from '../libraries.ts';
import type { Listener } from '../listener.ts';
import { changeAtOnce, type Changed, setFields } from './change.ts';

export interface CorrectionRequest {
  readonly pattern: string;
  /** Where the pattern is applied: to the folder's path, or to the title. */
  readonly from: 'folder' | 'title';
  readonly library?: string | undefined;
  /** Limits the correction to books in this folder of the library. */
  readonly under?: string | undefined;
}

interface Correction {
  readonly book: Book;
  readonly changes: readonly { readonly field: BookField; readonly before: unknown; readonly after: unknown }[];
}

export interface Corrections {
  readonly corrections: readonly Correction[];
  /** Books whose name matches, but whose fields already have these values. */
  readonly unchanged: number;
  /** Books whose name does not match. */
  readonly unmatched: number;
}

/** Maximum number of books that one correction changes. */
const BOOKS_MAX = 2_000;

/** Reads fields from the names of many books. Changes nothing. */
export async function planCorrections(
  audiobooks: Audiobooks,
  listener: Listener,
  request: CorrectionRequest,
): Promise<Corrections> {
  const pattern = parseNamePattern(request.pattern);
  const corrections: Correction[] = [];
  let [unchanged, unmatched] = [0, 0];
  for await (const book of booksUnder(audiobooks, listener, request)) {
    const found = changesIn(book, pattern, request.from);
    if (found === undefined) unmatched += 1;
    else if (found.length === 0) unchanged += 1;
    else corrections.push({ book, changes: found });
    if (corrections.length > BOOKS_MAX) {
      throw audiobookErrors.PATTERN_INVALID(`The pattern would change more than ${BOOKS_MAX} books.`, {
        hint: 'Choose a folder in the library.',
      });
    }
  }
  return { corrections, unchanged, unmatched };
}

async function* booksUnder(
  audiobooks: Audiobooks,
  listener: Listener,
  { library: given, under }: CorrectionRequest,
): AsyncGenerator<Book, void, undefined> {
  const chosen = given === undefined ? await allLibraries(audiobooks) : [await findLibrary(audiobooks, given)];
  const folder = under?.replaceAll(/^\/+|\/+$/gu, '') ?? '';
  for (const { id } of chosen.filter((library) => listener.sees({ library_id: library.id }))) {
    for await (const book of audiobooks.store.scan(books.by.folder, { library_id: id })) {
      const isUnder = folder === '' || book.folder === folder || book.folder?.startsWith(`${folder}/`) === true;
      if (book.deleted_at === null && isUnder) yield book;
    }
  }
}

/** Returns the fields that would change; undefined if the name does not match. */
function changesIn(
  book: Book,
  pattern: NamePattern,
  from: CorrectionRequest['from'],
): Correction['changes'] | undefined {
  const path = (book.folder ?? '').split('/');
  const found = matchName(pattern, from === 'title' ? book.title : path.slice(-pattern.depth).join('/'));
  if (found === undefined) return undefined;
  const current = fieldValues(book);
  const wanted = fieldsOf(found, book);
  return (Object.keys(wanted) as BookField[])
    .map((field) => ({ field, before: current[field], after: wanted[field] }))
    .filter(({ before, after }) => !sameValue(before, after));
}

function fieldsOf(found: ReadonlyMap<PatternField, string>, book: Book): FieldChanges {
  const [author, narrator, year] = [found.get('author'), found.get('narrator'), found.get('year')];
  const [series, sequence] = [found.get('series') ?? book.series[0]?.name, found.get('sequence')];
  const hasSeries = series !== undefined && (found.has('series') || sequence !== undefined);
  const values = {
    title: found.get('title'),
    subtitle: found.get('subtitle'),
    authors: author === undefined ? undefined : splitPeople(author),
    narrators: narrator === undefined ? undefined : splitPeople(narrator),
    year: year === undefined ? undefined : Number(year),
    series: hasSeries ? [{ name: series, sequence: sequence?.replace(/^0+(?=\d)/u, '') ?? null }] : undefined,
  };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, checkField(field as BookField, value)]));
}

/** Applies the corrections in one operation, which can be undone, and locks the corrected fields. */
export async function correctBooks(
  audiobooks: Audiobooks,
  listener: Listener,
  request: CorrectionRequest,
): Promise<Changed<number>> {
  const { corrections } = await planCorrections(audiobooks, listener, request);
  const params = { pattern: request.pattern, from: request.from };
  const operation = { type: 'edit', params, createdBy: listener.name } as const;
  return changeAtOnce(audiobooks, operation, async ({ tx, editor }) => {
    const changed: string[] = [];
    const locks: { book: string; before: readonly string[]; after: readonly string[] }[] = [];
    for (const { book: planned, changes } of corrections) {
      const before = await readBook(tx, planned.id);
      // Skips a book that changed since the plan was made, because its name may no longer match.
      if (before === undefined || before.revision !== planned.revision) continue;
      const sources = Object.fromEntries(changes.map(({ field }) => [field, 'edit' as const]));
      const values = Object.fromEntries(changes.map(({ field, after }) => [field, after])) as FieldChanges;
      const after = [...new Set([...before.locks, ...changes.map(({ field }) => field)])].sort();
      await writeBook(tx, before, { ...(await setFields(tx, before, values, sources, editor)), locks: after }, editor);
      changed.push(before.id);
      locks.push({ book: before.id, before: before.locks, after });
    }
    return { value: changed.length, result: { books: changed, locks } };
  });
}
