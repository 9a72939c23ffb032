import {
  boolean,
  choice,
  flag,
  integer,
  list,
  nullable,
  number,
  object,
  optional,
  pageFields,
  pageOf,
  text,
  time,
  union,
  type ValueOf,
  withDefault,
} from '@holdfast/operation';
import { CONDITION_FIELDS, CONDITION_OPERATORS, SMART_SORTS } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import { bookField, bookRow, defineOperation, ifRevision, READ } from './fields.ts';

const {
  BOOK_NOT_FOUND,
  NAME_AMBIGUOUS,
  PLAYLIST_FULL,
  PLAYLIST_ITEM_NOT_FOUND,
  PLAYLIST_NOT_FOUND,
  PLAYLIST_SMART,
  QUERY_INVALID,
  REVISION_STALE,
  RIGHTS_MISSING,
} = audiobookErrors;
const playlistField = text('Playlist: id or name', { min: 1, max: 200, label: 'playlist' });
const name = text('Name of the playlist', { min: 1, max: 200, label: 'name' });

const condition = object({
  field: choice(CONDITION_FIELDS, 'Field to test; authors and series match by id or name, duration is in minutes'),
  op: choice(CONDITION_OPERATORS),
  value: union([text(undefined, { min: 1, max: 200 }), number()]),
});
const conditions = optional(list(condition, { max: 20 }));
const query = object(
  {
    all: conditions,
    any: conditions,
    sort: withDefault(
      choice(SMART_SORTS, 'Sort order; with "added" or "recent", the newest books come first'),
      'title',
    ),
    limit: withDefault(nullable(integer('Maximum number of books', { min: 1, max: 10_000 })), null),
  },
  { summary: 'Conditions of a smart playlist: JSON with a list named "all" or "any"' },
);

const playlistFields = {
  id: text(),
  name: text(),
  kind: choice(['manual', 'smart']),
  shared: boolean('Shared with all users'),
  query: nullable(query),
  created_at: time(),
  updated_at: time(),
  revision: integer(),
} as const;
const playlist = object(playlistFields, { id: 'Playlist' });

const listedPlaylist = object({ ...playlistFields, has_book: optional(boolean('Contains the given book')) });

export const playlistFilters = { book: optional(bookField), ...pageFields } as const;

export const listPlaylists = defineOperation({
  name: 'playlist.list',
  summary: "List the caller's playlists and the shared ones",
  permission: READ,
  input: playlistFilters,
  output: pageOf(listedPlaylist),
  errors: [BOOK_NOT_FOUND],
  run: async () => (await import('../service/handlers/playlists.ts')).listPlaylists,
});

export const newPlaylist = {
  name,
  query: optional(query),
  shared: flag('Share with all users; requires edit access'),
} as const;

export const createPlaylist = defineOperation({
  name: 'playlist.create',
  summary: 'Create a manual playlist, or a smart one with a query',
  permission: READ,
  input: newPlaylist,
  output: playlist,
  errors: [QUERY_INVALID, RIGHTS_MISSING],
  run: async () => (await import('../service/handlers/playlists.ts')).createPlaylist,
});

const item = object({
  position: integer('Sort key of the item; these numbers have gaps'),
  book: bookRow,
});

export const showPlaylist = defineOperation({
  name: 'playlist.show',
  summary: 'Show a playlist and one page of its books',
  permission: READ,
  input: { playlist: playlistField, ...pageFields },
  output: object({ ...playlistFields, items: pageOf(item) }),
  errors: [PLAYLIST_NOT_FOUND, NAME_AMBIGUOUS],
  run: async () => (await import('../service/handlers/playlists.ts')).showPlaylist,
});

export const queryPreview = { query, ...pageFields } as const;

export const previewQuery = defineOperation({
  name: 'playlist.preview',
  summary: 'List the books that match a query',
  description:
    'A page can be short even if more pages follow, because each request examines a limited number of books.',
  permission: READ,
  input: queryPreview,
  output: pageOf(bookRow),
  errors: [QUERY_INVALID],
  absent: { mcp: 'book.list finds books' },
  run: async () => (await import('../service/handlers/playlists.ts')).previewQuery,
});

export const playlistChanges = {
  playlist: playlistField,
  name: optional(name),
  query: optional(query),
  if_revision: optional(ifRevision),
} as const;

export const editPlaylist = defineOperation({
  name: 'playlist.edit',
  summary: 'Rename a playlist, or change the query of a smart one',
  permission: READ,
  input: playlistChanges,
  output: playlist,
  errors: [PLAYLIST_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, QUERY_INVALID, REVISION_STALE],
  absent: { mcp: 'Only people edit playlists' },
  run: async () => (await import('../service/handlers/playlists.ts')).editPlaylist,
});

export const deletePlaylist = defineOperation({
  name: 'playlist.delete',
  summary: 'Delete a playlist; its books stay',
  permission: READ,
  input: { playlist: playlistField, if_revision: optional(ifRevision) },
  output: playlist,
  errors: [PLAYLIST_NOT_FOUND, NAME_AMBIGUOUS, RIGHTS_MISSING, REVISION_STALE],
  absent: { mcp: 'Cannot be undone; reserved for people' },
  run: async () => (await import('../service/handlers/playlists.ts')).deletePlaylist,
});

const itemErrors = [
  PLAYLIST_NOT_FOUND,
  NAME_AMBIGUOUS,
  PLAYLIST_SMART,
  PLAYLIST_ITEM_NOT_FOUND,
  BOOK_NOT_FOUND,
  RIGHTS_MISSING,
  REVISION_STALE,
] as const;
const before = text('Insert before this book (id or title); default: at the end', { min: 1, max: 500, label: 'book' });
const items = object({
  id: text(),
  name: text(),
  revision: integer(),
  items: list(
    object({
      book_id: text(),
      title: text(),
      position: nullable(integer('New position; null if the book was already on the playlist')),
    }),
  ),
});
export type PlacedItems = ValueOf<typeof items>;

export const itemsToAdd = {
  playlist: playlistField,
  books: list(bookField, { min: 1, max: 1_000 }),
  before: optional(before),
  if_revision: optional(ifRevision),
} as const;

export const addItems = defineOperation({
  name: 'playlist.add',
  summary: 'Add books to a playlist; books already on it keep their position',
  permission: READ,
  input: itemsToAdd,
  output: items,
  errors: [...itemErrors, PLAYLIST_FULL],
  run: async () => (await import('../service/handlers/playlists.ts')).addItems,
});

export const itemToMove = {
  playlist: playlistField,
  book: bookField,
  before: optional(before),
  if_revision: optional(ifRevision),
} as const;

export const moveItem = defineOperation({
  name: 'playlist.move',
  summary: 'Move a book within a playlist: before another book, or to the end',
  permission: READ,
  input: itemToMove,
  output: items,
  errors: itemErrors,
  absent: { mcp: 'Only people reorder playlists' },
  run: async () => (await import('../service/handlers/playlists.ts')).moveItem,
});

export const itemsToRemove = {
  playlist: playlistField,
  books: list(bookField, { min: 1, max: 1_000 }),
  if_revision: optional(ifRevision),
} as const;

export const removeItems = defineOperation({
  name: 'playlist.remove',
  summary: 'Remove books from a playlist',
  permission: READ,
  input: itemsToRemove,
  output: items,
  errors: itemErrors,
  absent: { mcp: 'Only people remove books from playlists' },
  run: async () => (await import('../service/handlers/playlists.ts')).removeItems,
});
