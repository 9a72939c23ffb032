import type { Page, PageOptions, Reads } from '@holdfast/keyspace';
import type { Book } from '../../model/book.ts';
import { normalizeName, normalizeText } from '../../model/normalize.ts';
import { books } from '../../store/definitions.ts';
import { resolveAuthor, resolveSeries } from './resolve.ts';

/** Filters as the user typed them. */
export interface CriteriaWish {
  readonly author?: string | undefined;
  readonly series?: string | undefined;
  readonly narrator?: string | undefined;
  readonly genre?: string | undefined;
  readonly tag?: string | undefined;
  readonly language?: string | undefined;
  readonly work?: string | undefined;
}

/** A filter with its index value. */
export interface Criterion {
  readonly kind: keyof CriteriaWish;
  readonly value: string;
}

/** Converts filters to index values. Throws for an unknown author or series. */
export async function criteriaOf(reads: Reads, wish: CriteriaWish): Promise<readonly Criterion[]> {
  const { author, series, narrator, genre, tag, language, work } = wish;
  const found: Criterion[] = [];
  if (series !== undefined) found.push({ kind: 'series', value: (await resolveSeries(reads, series)).id });
  if (author !== undefined) found.push({ kind: 'author', value: (await resolveAuthor(reads, author)).id });
  if (narrator !== undefined) found.push({ kind: 'narrator', value: normalizeName(narrator) });
  if (tag !== undefined) found.push({ kind: 'tag', value: tag.toLowerCase() });
  if (genre !== undefined) found.push({ kind: 'genre', value: normalizeText(genre) });
  if (language !== undefined) found.push({ kind: 'language', value: language.toLowerCase() });
  if (work !== undefined) found.push({ kind: 'work', value: work });
  return found;
}

const fitting: Readonly<Record<Criterion['kind'], (book: Book, value: string) => boolean>> = {
  author: (book, value) => book.authors.some(({ id }) => id === value),
  series: (book, value) => book.series.some(({ id }) => id === value),
  narrator: (book, value) => book.narrators.some((name) => normalizeName(name) === value),
  genre: (book, value) => book.genres.some((genre) => normalizeText(genre) === value),
  tag: (book, value) => book.tags.some((tag) => tag.toLowerCase() === value),
  language: (book, value) => book.language?.toLowerCase() === value,
  work: (book, value) => book.work_id === value,
};

export function fits(book: Book, { kind, value }: Criterion): boolean {
  return fitting[kind](book, value);
}

type Shelf = (reads: Reads, value: string, page: PageOptions) => Promise<Page<Book>>;

const shelves: Readonly<Record<Criterion['kind'], Shelf>> = {
  author: (reads, author, page) => reads.page(books.by.author, { author }, page),
  series: (reads, series, page) => reads.page(books.by.series, { series }, page),
  narrator: (reads, narrator, page) => reads.page(books.by.narrator, { narrator }, page),
  genre: (reads, genre, page) => reads.page(books.by.genre, { genre }, page),
  tag: (reads, tag, page) => reads.page(books.by.tag, { tag }, page),
  language: (reads, language, page) => reads.page(books.by.language, { language }, page),
  work: (reads, work, page) => reads.page(books.by.work, { work_id: work }, page),
};

/** Returns a page of matching books in shelf order. */
export function fittingPage(reads: Reads, { kind, value }: Criterion, page: PageOptions): Promise<Page<Book>> {
  return shelves[kind](reads, value, page);
}
