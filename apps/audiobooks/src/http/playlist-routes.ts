import {
  created,
  defineRoute,
  noContent,
  nothing,
  ok,
  optionalMatch,
  page,
  pageOf,
  pageQuery,
  revisionTag,
} from '@holdfast/http';
import { z } from 'zod';

import { audiobookErrors } from '../model/errors.ts';
import { type Playlist, playlistName } from '../model/playlist.ts';
import { smartQueryShape } from '../model/smart-query.ts';
import { count, id, time } from '../model/stored.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { addItem, type Item, moveItem, pageOfItems, removeItem } from '../service/playlists/items.ts';
import {
  changePlaylist,
  createPlaylist,
  type Expect,
  listPlaylists,
  type PlaylistUser,
  removePlaylist,
  seenPlaylist,
} from '../service/playlists/playlists.ts';
import { evaluateQuery } from '../service/playlists/smart.ts';
import { withBook } from '../service/playlists/with-book.ts';
import { readPermission } from './caller.ts';
import { listenerOf } from './listener.ts';
import { bookRowSchema, idParameter } from './schemas.ts';
import { bookRows } from './views.ts';

const playlistSchema = z.object({
  id,
  name: z.string(),
  kind: z.enum(['manual', 'smart']),
  shared: z.boolean().meta({ description: 'It belongs to everybody' }),
  query: smartQueryShape.nullable(),
  created_at: time,
  updated_at: time,
  revision: count,
});

const listedSchema = playlistSchema.extend({
  has_book: z.boolean().optional().meta({ description: 'The `book` that was asked for is in its order' }),
});

const itemSchema = z.object({
  position: count.meta({
    description: 'Names the item until it is moved; they are in order, and there are gaps between them',
  }),
  book: bookRowSchema,
});

function view(playlist: Playlist): z.infer<typeof playlistSchema> {
  const {
    user_id: user,
    id: own,
    name,
    kind,
    query,
    created_at: createdAt,
    updated_at: updatedAt,
    revision,
  } = playlist;
  return { id: own, name, kind, shared: user === null, query, created_at: createdAt, updated_at: updatedAt, revision };
}

const params = z.object({ id: idParameter });
const itemParams = z.object({ id: idParameter, position: z.coerce.number<string>().int().nonnegative() });
const errors = [audiobookErrors.PLAYLIST_NOT_FOUND, audiobookErrors.RIGHTS_MISSING];

function expectation(request: Request): Expect {
  const match = optionalMatch(request);
  return (current) => match?.assert(tagOf(current));
}

function tagOf({ revision }: Playlist): string {
  return revisionTag(revision);
}

export function playlistRoutes(app: Audiobooks) {
  const list = defineRoute({
    method: 'GET',
    path: '/playlists',
    permission: readPermission,
    summary: "The caller's playlists, and those of everybody",
    request: { query: z.object({ ...pageQuery, book: idParameter.optional() }) },
    responses: { 200: pageOf(listedSchema) },
    errors: [audiobookErrors.BOOK_NOT_FOUND],
    handler: async (input) => {
      const { query } = input;
      const listener = await listenerOf(app, input);
      const { items, cursor } = await listPlaylists(app, listener, query);
      if (query.book === undefined) return ok(page(items.map(view), cursor));
      const holders = await withBook(app.store, listener, query.book, items);
      return ok(
        page(
          items.map((playlist) => ({ ...view(playlist), has_book: holders.has(playlist.id) })),
          cursor,
        ),
      );
    },
  });
  const add = defineRoute({
    method: 'POST',
    path: '/playlists',
    permission: readPermission,
    summary:
      'Makes a playlist: one in an order of its own, or a smart one, which is a question that is asked each time',
    request: {
      body: z.object({
        name: playlistName,
        kind: z.enum(['manual', 'smart']).default('manual'),
        query: smartQueryShape.optional(),
        shared: z.boolean().default(false).meta({ description: 'For everybody; needs the right to edit' }),
      }),
    },
    responses: { 201: playlistSchema },
    idempotent: true,
    errors: [audiobookErrors.QUERY_INVALID, audiobookErrors.RIGHTS_MISSING],
    handler: async (input) => {
      const made = await createPlaylist(app, await listenerOf(app, input), input.body);
      return created(view(made), `/api/audiobooks/playlists/${made.id}`, { etag: tagOf(made) });
    },
  });
  const show = defineRoute({
    method: 'GET',
    path: '/playlists/{id}',
    permission: readPermission,
    summary: 'A playlist with a page of its books',
    request: { params, query: z.object(pageQuery) },
    responses: { 200: playlistSchema.extend({ items: pageOf(itemSchema) }) },
    errors,
    handler: async (input) => {
      const listener = await listenerOf(app, input);
      const playlist = await seenPlaylist(app.store, listener, input.params.id);
      const { items, cursor } = await itemsOf(app, listener, playlist, input.query);
      const rows = await bookRows(
        app.store,
        items.map(({ book }) => book),
        listener.userId,
      );
      const shown = rows.map((book, index) => ({ position: items[index]?.position ?? 0, book }));
      return ok({ ...view(playlist), items: page(shown, cursor) }, { etag: tagOf(playlist) });
    },
  });
  return [list, add, show, previewRoute(app), ...changeRoutes(app), ...itemRoutes(app)] as const;
}

function previewRoute(app: Audiobooks) {
  return defineRoute({
    method: 'POST',
    path: '/playlists/preview',
    permission: readPermission,
    summary: 'The books that a question would find, before it is kept; a page may be short and still have a next one',
    request: { query: z.object(pageQuery), body: z.object({ query: smartQueryShape }) },
    responses: { 200: pageOf(bookRowSchema) },
    errors: [audiobookErrors.QUERY_INVALID],
    handler: async (input) => {
      const listener = await listenerOf(app, input);
      const { items, cursor } = await evaluateQuery(app, listener, input.body.query, input.query);
      return ok(page(await bookRows(app.store, items, listener.userId), cursor));
    },
  });
}

/** The books of a smart playlist are numbered as they come. */
async function itemsOf(
  app: Audiobooks,
  listener: PlaylistUser,
  playlist: Playlist,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly items: readonly Item[]; readonly cursor: string | undefined }> {
  const audiobooks = app;
  if (playlist.query === null) return pageOfItems(audiobooks.store, listener, playlist.id, query);
  const { items, cursor } = await evaluateQuery(audiobooks, listener, playlist.query, query);
  const given = Number.parseInt(query.cursor ?? '0', 10);
  return { items: items.map((book, index) => ({ position: given + index, book })), cursor };
}

function changeRoutes(app: Audiobooks) {
  const change = defineRoute({
    method: 'PATCH',
    path: '/playlists/{id}',
    permission: readPermission,
    summary: 'Changes the name, or the question of a smart playlist',
    request: { params, body: z.object({ name: playlistName.optional(), query: smartQueryShape.optional() }) },
    responses: { 200: playlistSchema },
    errors: [...errors, audiobookErrors.QUERY_INVALID],
    handler: async (input) => {
      const user = await listenerOf(app, input);
      const expect = expectation(input.request);
      const changed = await changePlaylist(app, user, input.params.id, input.body, expect);
      return ok(view(changed), { etag: tagOf(changed) });
    },
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/playlists/{id}',
    permission: readPermission,
    summary: 'Deletes a playlist; its books stay',
    request: { params },
    responses: { 204: nothing },
    errors,
    handler: async (input) => {
      const user = await listenerOf(app, input);
      await removePlaylist(app, user, input.params.id, expectation(input.request));
      return noContent();
    },
  });
  return [change, remove] as const;
}

const placed = z.object({ position: count, revision: count });
const itemErrors = [
  ...errors,
  audiobookErrors.PLAYLIST_SMART,
  audiobookErrors.PLAYLIST_ITEM_NOT_FOUND,
  audiobookErrors.PLAYLIST_FULL,
];

function itemRoutes(app: Audiobooks) {
  const add = defineRoute({
    method: 'POST',
    path: '/playlists/{id}/items',
    permission: readPermission,
    summary: 'Puts a book at the end, or before the item at a position',
    request: { params, body: z.object({ book_id: idParameter, before: count.optional() }) },
    responses: { 201: placed },
    idempotent: true,
    errors: [...itemErrors, audiobookErrors.BOOK_NOT_FOUND, audiobookErrors.PLAYLIST_HAS_BOOK],
    handler: async (input) => {
      const { playlist, position } = await addItem(app, await listenerOf(app, input), {
        playlist: input.params.id,
        book: input.body.book_id,
        before: input.body.before,
        expect: expectation(input.request),
      });
      const { revision } = playlist;
      return created({ position, revision }, `/api/audiobooks/playlists/${playlist.id}`, { etag: tagOf(playlist) });
    },
  });
  const move = defineRoute({
    method: 'PUT',
    path: '/playlists/{id}/items/{position}/move',
    permission: readPermission,
    summary: 'Puts an item before the one at the position `to`, or at the end with null',
    request: { params: itemParams, body: z.object({ to: count.nullable() }) },
    responses: { 200: placed },
    errors: itemErrors,
    handler: async (input) => {
      const { playlist, position } = await moveItem(app, await listenerOf(app, input), {
        playlist: input.params.id,
        position: input.params.position,
        to: input.body.to,
        expect: expectation(input.request),
      });
      return ok({ position, revision: playlist.revision }, { etag: tagOf(playlist) });
    },
  });
  const remove = defineRoute({
    method: 'DELETE',
    path: '/playlists/{id}/items/{position}',
    permission: readPermission,
    summary: 'Takes an item off the playlist',
    request: { params: itemParams },
    responses: { 204: nothing },
    errors: itemErrors,
    handler: async (input) => {
      await removeItem(app, await listenerOf(app, input), {
        playlist: input.params.id,
        position: input.params.position,
        expect: expectation(input.request),
      });
      return noContent();
    },
  });
  return [add, move, remove] as const;
}
