import {
  choice,
  integer,
  list,
  nullable,
  object,
  optional,
  optionalList,
  pageFields,
  pageOf,
  text,
  type ValueOf,
} from '@holdfast/operation';
import { GROUP_KINDS } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { bookRow, defineOperation, READ, WRITE } from './fields.ts';

const { AUTHOR_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, SERIES_NOT_FOUND } = audiobookErrors;
const name = (summary: string) => text(summary, { min: 1, max: 500, label: 'name' });
const authorField = text('Author: id or name', { min: 1, max: 500, label: 'author' });
const seriesField = text('Series: id or name', { min: 1, max: 500, label: 'series' });

const group = object({ id: text(), name: text(), books: integer('Number of books that the caller can see') });

export const groupFilters = {
  kind: choice(GROUP_KINDS, 'Kind of group to list'),
  q: optional(name('Only names that start with this text')),
  ...pageFields,
} as const;

export const listGroups = defineOperation({
  name: 'group.list',
  summary: 'List authors, series, narrators, genres or tags with their number of books',
  permission: READ,
  input: groupFilters,
  output: pageOf(group),
  absent: { mcp: 'search finds authors, series and narrators' },
  run: async () => (await import('../service/queries/groups.ts')).listGroups,
});

const authorFields = {
  id: text(),
  name: text(),
  aliases: list(text()),
  books: integer('Number of books that the caller can see'),
} as const;
const author = object(authorFields, { id: 'AudiobookAuthor' });
export type Author = ValueOf<typeof author>;
const operationId = text('Id of this operation, for undo');

export const showAuthor = defineOperation({
  name: 'author.show',
  summary: 'Show an author with all aliases',
  permission: READ,
  input: { author: authorField },
  output: author,
  errors: [AUTHOR_NOT_FOUND, NAME_AMBIGUOUS],
  absent: { mcp: 'search finds authors, and book.list their books' },
  run: async () => (await import('../service/queries/groups.ts')).showAuthor,
});

export const authorChanges = {
  author: authorField,
  name: optional(name('New name')),
  add_aliases: optionalList(name('Alias to add'), { max: 50 }),
  remove_aliases: optionalList(name('Alias to remove'), { max: 50 }),
} as const;

export const editAuthor = defineOperation({
  name: 'author.edit',
  summary: 'Rename an author or change aliases; the previous name becomes an alias',
  permission: WRITE,
  input: authorChanges,
  output: author,
  errors: [AUTHOR_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING],
  absent: { mcp: 'Changes many books at once; reserved for people' },
  run: async () => (await import('../service/queries/groups.ts')).editAuthor,
});

export const mergeAuthors = defineOperation({
  name: 'author.merge',
  summary: 'Merge duplicate entries for an author into one',
  permission: WRITE,
  input: { author: authorField, others: list(authorField, { min: 1, max: 100 }) },
  output: object({ ...authorFields, operation_id: operationId }),
  errors: [AUTHOR_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING],
  absent: { mcp: 'Changes many books at once; reserved for people' },
  run: async () => (await import('../service/queries/groups.ts')).mergeAuthors,
});

const seriesFields = {
  id: text(),
  name: text(),
  aliases: list(text()),
  books: list(object({ ...bookRow.fields, sequence: nullable(text()) })),
  gaps: list(text('Position in the series for which the library has no book')),
} as const;
const series = object(seriesFields, { id: 'AudiobookSeries' });

export const showSeries = defineOperation({
  name: 'series.show',
  summary: 'Show a series with its books in order and the missing positions',
  permission: READ,
  input: { series: seriesField },
  output: series,
  errors: [SERIES_NOT_FOUND, NAME_AMBIGUOUS],
  run: async () => (await import('../service/queries/groups.ts')).showSeries,
});

export const mergeSeries = defineOperation({
  name: 'series.merge',
  summary: 'Merge duplicate entries for a series into one',
  permission: WRITE,
  input: { series: seriesField, others: list(seriesField, { min: 1, max: 100 }) },
  output: object({ ...seriesFields, operation_id: operationId }),
  errors: [SERIES_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING],
  absent: { mcp: 'Changes many books at once; reserved for people' },
  run: async () => (await import('../service/queries/groups.ts')).mergeSeries,
});
