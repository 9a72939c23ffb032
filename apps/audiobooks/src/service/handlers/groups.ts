import type { authorChanges, groupFilters } from '../../operations/groups.ts';
import type { Reads } from '@holdfast/keyspace';
import type { Caller, ObjectValue } from '@holdfast/operation';
import { audiobookErrors } from '../../model/errors.ts';
import type { Author } from '../../model/records.ts';
import { missingPositions } from '../../model/series-position.ts';
import type { Audiobooks } from '../audiobooks.ts';
import {
  editAuthor as applyEdit,
  mergeAuthors as merge,
  mergeSeries as mergeEntries,
} from '../changes/merge-groups.ts';
import { type Listener, listenerOf, requireAllLibraries } from '../listener.ts';
import { countOf } from '../queries/browse-books.ts';
import { showSeries as readSeries, searchGroups, visibleGroups } from '../queries/groups.ts';
import { resolveAuthor } from '../queries/resolve.ts';
import { bookRows } from '../views.ts';

export async function listGroups(audiobooks: Audiobooks, input: ObjectValue<typeof groupFilters>, caller: Caller) {
  const { kind, q, limit, cursor } = input;
  const listener = await listenerOf(audiobooks, caller);
  if (q !== undefined) return { data: await searchGroups(audiobooks, listener, kind, q, limit), next_cursor: null };
  const page = await visibleGroups(audiobooks, listener, kind, { limit, cursor });
  return { data: page.items, next_cursor: page.cursor ?? null };
}

export async function showAuthor(audiobooks: Audiobooks, { author }: { readonly author: string }, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  return authorView(audiobooks.store, listener, await visibleAuthor(audiobooks.store, listener, author));
}

export async function editAuthor(audiobooks: Audiobooks, input: ObjectValue<typeof authorChanges>, caller: Caller) {
  const listener = await listenerOf(audiobooks, caller);
  const { id } = await visibleAuthor(audiobooks.store, listener, input.author);
  requireAllLibraries(listener);
  const { name, add_aliases: addAliases, remove_aliases: removeAliases } = input;
  const author = await applyEdit(audiobooks, { author: id, name, addAliases, removeAliases });
  return authorView(audiobooks.store, listener, author);
}

export async function mergeAuthors(
  audiobooks: Audiobooks,
  input: { readonly author: string; readonly others: readonly string[] },
  caller: Caller,
) {
  const { author, others } = input;
  const listener = await listenerOf(audiobooks, caller);
  for (const given of [author, ...others]) await visibleAuthor(audiobooks.store, listener, given);
  requireAllLibraries(listener);
  const { value, operation } = await merge(audiobooks, { keep: author, others, by: listener.name });
  return { ...(await authorView(audiobooks.store, listener, value)), operation_id: operation.id };
}

async function visibleAuthor(reads: Reads, listener: Listener, given: string): Promise<Author> {
  const author = await resolveAuthor(reads, given);
  if (listener.libraries === 'all' || (await bookCount(reads, listener, author.id)) > 0) return author;
  throw audiobookErrors.AUTHOR_NOT_FOUND(`There is no author ${given}.`);
}

async function bookCount(reads: Reads, { libraries }: Listener, author: string): Promise<number> {
  return (await countOf(reads, libraries, { kind: 'author', value: author })) ?? 0;
}

async function authorView(reads: Reads, listener: Listener, { id, name, aliases }: Author) {
  return { id, name, aliases, books: await bookCount(reads, listener, id) };
}

export async function showSeries(audiobooks: Audiobooks, { series }: { readonly series: string }, caller: Caller) {
  return seriesView(audiobooks, await listenerOf(audiobooks, caller), series);
}

export async function mergeSeries(
  audiobooks: Audiobooks,
  input: { readonly series: string; readonly others: readonly string[] },
  caller: Caller,
) {
  const { series, others } = input;
  const listener = await listenerOf(audiobooks, caller);
  for (const given of [series, ...others]) await seriesView(audiobooks, listener, given);
  requireAllLibraries(listener);
  const { value, operation } = await mergeEntries(audiobooks, { keep: series, others, by: listener.name });
  return { ...(await seriesView(audiobooks, listener, value.id)), operation_id: operation.id };
}

async function seriesView(audiobooks: Audiobooks, listener: Listener, given: string) {
  const { series, books } = await readSeries(audiobooks, given);
  const visible = books.filter(({ book }) => listener.sees(book));
  if (visible.length === 0 && listener.libraries !== 'all') {
    throw audiobookErrors.SERIES_NOT_FOUND(`There is no series ${given}.`);
  }
  const rows = await bookRows(
    audiobooks.store,
    visible.map(({ book }) => book),
    listener.userId,
  );
  const sequences = visible.map(({ sequence }) => sequence);
  return {
    id: series.id,
    name: series.name,
    aliases: series.aliases,
    books: rows.map((row, index) => ({ ...row, sequence: sequences[index] ?? null })),
    gaps: missingPositions(sequences.map((sequence) => sequence ?? undefined)).map(String),
  };
}
