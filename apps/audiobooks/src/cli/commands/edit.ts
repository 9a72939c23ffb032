import { commandLineErrors, type CommandContext } from '@holdfast/cli';
import type { Book } from '../../model/book.ts';
import { rowOf } from '../../model/book-row.ts';
import type { Audiobooks } from '../../service/audiobooks.ts';
import { deleteBook, restoreBook } from '../../service/changes/delete-book.ts';
import { editBook } from '../../service/changes/edit-book.ts';
import { printBooks } from '../view/books.ts';
import { personOf, withLibrary } from '../with-library.ts';

interface Options {
  readonly title: string | undefined;
  readonly subtitle: string | undefined;
  readonly author: readonly string[];
  readonly narrator: readonly string[];
  readonly series: readonly string[];
  readonly year: number | undefined;
  readonly publisher: string | undefined;
  readonly language: string | undefined;
  readonly isbn: string | undefined;
  readonly asin: string | undefined;
  readonly description: string | undefined;
  readonly genre: readonly string[];
  readonly tag: readonly string[];
  readonly edition: string | undefined;
  readonly clear: readonly string[];
  readonly lock: readonly string[];
  readonly unlock: readonly string[];
  readonly keepOpen: boolean;
  readonly work: string | undefined;
  readonly ifRevision: number | undefined;
  readonly delete: boolean;
  readonly restore: boolean;
}

interface Input {
  readonly args: { readonly book: string };
  readonly options: Options;
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, stdin } = context;
  const description = options.description === '-' ? await stdin.text() : options.description;
  const set = changesOf({ ...options, description });
  const book = await withLibrary(context, (audiobooks) =>
    change(audiobooks, args.book, options, set, personOf(context.env)),
  );
  out.result({ ...book }, (page) => printBooks(page, [rowOf(book)], ''));
}

async function change(
  audiobooks: Audiobooks,
  given: string,
  options: Options,
  set: Readonly<Record<string, unknown>>,
  by: string,
): Promise<Book> {
  if (options.delete) return deleteBook(audiobooks, given);
  if (options.restore) return restoreBook(audiobooks, given);
  const { lock, unlock, keepOpen, ifRevision, work } = options;
  if (Object.keys(set).length === 0 && lock.length === 0 && unlock.length === 0 && work === undefined) {
    throw commandLineErrors.MISSING_ARGUMENT('Nothing is to be changed.', {
      hint: 'See holdfast audiobooks edit --help.',
    });
  }
  const request = { book: given, set, lock, unlock, keepOpen, ifRevision, by, ...(work === undefined ? {} : { work }) };
  return (await editBook(audiobooks, request)).value;
}

const LISTS: ReadonlySet<string> = new Set(['authors', 'narrators', 'series', 'genres', 'tags']);

function changesOf(options: Options): Readonly<Record<string, unknown>> {
  const set: Record<string, unknown> = {};
  for (const field of options.clear) set[field] = LISTS.has(field) ? [] : null;
  const single = [
    'title',
    'subtitle',
    'year',
    'publisher',
    'language',
    'isbn',
    'asin',
    'description',
    'edition',
  ] as const;
  for (const field of single) if (options[field] !== undefined) set[field] = options[field];
  const lists = { authors: options.author, narrators: options.narrator, genres: options.genre, tags: options.tag };
  for (const [field, values] of Object.entries(lists)) if (values.length > 0) set[field] = values;
  if (options.series.length > 0) set['series'] = options.series.map(seriesOf);
  return set;
}

function seriesOf(text: string): { readonly name: string; readonly sequence: string | null } {
  const match = /^(.*?)\s*#\s*(\S+)$/u.exec(text);
  return { name: match?.[1] ?? text, sequence: match?.[2] ?? null };
}
