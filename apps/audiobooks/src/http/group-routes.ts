import { defineRoute, ok, page, pageOf, pageQuery } from '@holdfast/http';
import { z } from 'zod';

import type { Author } from '../model/author.ts';
import { audiobookErrors } from '../model/errors.ts';
import { missingPositions } from '../model/series-position.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { editAuthor } from '../service/changes/edit-author.ts';
import { mergeAuthors } from '../service/changes/merge-authors.ts';
import { mergeSeries } from '../service/changes/merge-series.ts';
import { countOf } from '../service/queries/book-filter.ts';
import { visibleGroups } from '../service/queries/group-page.ts';
import type { GroupKind } from '../service/queries/list-groups.ts';
import { searchGroups } from '../service/queries/search-groups.ts';
import { showSeries } from '../service/queries/show-series.ts';
import { authors } from '../store/definitions.ts';
import { type Caller, callerOf, readPermission, requireEverywhere, writePermission } from './caller.ts';
import { authorSchema, groupSchema, idParameter, seriesSchema } from './schemas.ts';
import { bookRows } from './views.ts';

const params = z.object({ id: idParameter });
const noAuthor = [audiobookErrors.AUTHOR_NOT_FOUND];
const noSeries = [audiobookErrors.SERIES_NOT_FOUND];
const name = z.string().trim().min(1).max(500);
const others = z.strictObject({ others: z.array(idParameter).min(1).max(100) });

export function groupRoutes(app: Audiobooks) {
  return [
    groups(app, '/authors', 'author', 'Authors by name'),
    groups(app, '/series', 'series', 'Series by name'),
    groups(app, '/narrators', 'narrator', 'Narrators by name'),
    groups(app, '/genres', 'genre', 'Genres by name'),
    groups(app, '/tags', 'tag', 'Tags by name'),
    ...authorRoutes(app),
    ...seriesRoutes(app),
  ] as const;
}

function groups<const Path extends string>(app: Audiobooks, path: Path, kind: GroupKind, summary: string) {
  return defineRoute({
    method: 'GET',
    path,
    permission: readPermission,
    summary: `${summary}, with how many books the caller can see of each`,
    request: { query: z.object({ ...pageQuery, q: name.optional().meta({ description: 'How the name begins' }) }) },
    responses: { 200: pageOf(groupSchema) },
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const { q, limit } = input.query;
      if (q !== undefined) return ok(page(await searchGroups(app, caller, kind, q, limit), undefined));
      const { items, cursor } = await visibleGroups(app, caller, kind, input.query);
      return ok(page(items, cursor));
    },
  });
}

function authorRoutes(app: Audiobooks) {
  const show = defineRoute({
    method: 'GET',
    path: '/authors/{id}',
    permission: readPermission,
    summary: 'An author with other names',
    request: { params },
    responses: { 200: authorSchema },
    errors: noAuthor,
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const author = await visibleAuthor(app, caller, input.params.id);
      return ok(await authorView(app, caller, author));
    },
  });
  const change = defineRoute({
    method: 'PATCH',
    path: '/authors/{id}',
    permission: writePermission,
    summary: 'Another name for an author, which the books then show; the one before becomes an alias',
    request: {
      params,
      body: z.strictObject({
        name: name.optional(),
        add_aliases: z.array(name).max(50).default([]),
        remove_aliases: z.array(name).max(50).default([]),
      }),
    },
    responses: { 200: authorSchema },
    errors: [...noAuthor, audiobookErrors.RIGHTS_MISSING],
    handler: async (input) => {
      const caller = await callerOf(app, input);
      const author = await visibleAuthor(app, caller, input.params.id);
      requireEverywhere(caller);
      const { name: shown, add_aliases: addAliases, remove_aliases: removeAliases } = input.body;
      const request = { author: author.id, name: shown, addAliases, removeAliases };
      return ok(await authorView(app, caller, await editAuthor(app, request)));
    },
  });
  const merge = defineRoute({
    method: 'POST',
    path: '/authors/{id}/merge',
    permission: writePermission,
    summary: 'Several entries for one author become this one; can be undone as an operation',
    request: { params, body: others },
    responses: { 200: authorSchema.extend({ operation_id: idParameter }) },
    errors: [...noAuthor, audiobookErrors.RIGHTS_MISSING],
    idempotent: true,
    handler: async (input) => {
      const caller = await callerOf(app, input);
      for (const id of [input.params.id, ...input.body.others]) await visibleAuthor(app, caller, id);
      requireEverywhere(caller);
      const request = { keep: input.params.id, others: input.body.others, by: caller.name };
      const { value, operation } = await mergeAuthors(app, request);
      return ok({ ...(await authorView(app, caller, value)), operation_id: operation.id });
    },
  });
  return [show, change, merge] as const;
}

function seriesRoutes(app: Audiobooks) {
  const show = defineRoute({
    method: 'GET',
    path: '/series/{id}',
    permission: readPermission,
    summary: 'A series with its books in order, and the numbers that are missing between them',
    request: { params },
    responses: { 200: seriesSchema },
    errors: noSeries,
    handler: async (input) => {
      const caller = await callerOf(app, input);
      return ok(await seriesView(app, caller, input.params.id));
    },
  });
  const merge = defineRoute({
    method: 'POST',
    path: '/series/{id}/merge',
    permission: writePermission,
    summary: 'Several entries for one series become this one; can be undone as an operation',
    request: { params, body: others },
    responses: { 200: seriesSchema.extend({ operation_id: idParameter }) },
    errors: [...noSeries, audiobookErrors.RIGHTS_MISSING],
    idempotent: true,
    handler: async (input) => {
      const caller = await callerOf(app, input);
      for (const id of [input.params.id, ...input.body.others]) await seriesView(app, caller, id);
      requireEverywhere(caller);
      const request = { keep: input.params.id, others: input.body.others, by: caller.name };
      const { operation } = await mergeSeries(app, request);
      return ok({ ...(await seriesView(app, caller, input.params.id)), operation_id: operation.id });
    },
  });
  return [show, merge] as const;
}

async function visibleAuthor(audiobooks: Audiobooks, caller: Caller, id: string): Promise<Author> {
  const author = await audiobooks.store.get(authors, { id });
  const isSeen =
    caller.libraries === 'all' ||
    ((await countOf(audiobooks.store, caller.libraries, { kind: 'author', value: id })) ?? 0) > 0;
  if (author !== undefined && isSeen) return author;
  throw audiobookErrors.AUTHOR_NOT_FOUND(`There is no author ${id}.`);
}

async function authorView(
  audiobooks: Audiobooks,
  caller: Caller,
  { id, name: shown, aliases }: Author,
): Promise<z.infer<typeof authorSchema>> {
  const books = await countOf(audiobooks.store, caller.libraries, { kind: 'author', value: id });
  return { id, name: shown, aliases, books: books ?? 0 };
}

async function seriesView(app: Audiobooks, caller: Caller, id: string): Promise<z.infer<typeof seriesSchema>> {
  const { series, books } = await showSeries(app, id);
  const visible = books.filter(({ book }) => caller.sees(book.library_id));
  if (visible.length === 0 && caller.libraries !== 'all') {
    throw audiobookErrors.SERIES_NOT_FOUND(`There is no series ${id}.`);
  }
  const rows = await bookRows(
    app.store,
    visible.map(({ book }) => book),
    caller.userId,
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
