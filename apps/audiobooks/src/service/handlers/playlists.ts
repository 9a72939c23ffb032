import type {
  itemToMove,
  itemsToAdd,
  itemsToRemove,
  newPlaylist,
  playlistChanges,
  playlistFilters,
  queryPreview,
} from '../../operations/playlists.ts';
import type { IfRevision, PageRequest } from '../../operations/fields.ts';
import type { Caller, ObjectValue } from '@holdfast/operation';
import { isUlid } from '@holdfast/keyspace';
import { audiobookErrors } from '../../model/errors.ts';
import { normalizeText } from '../../model/normalize.ts';
import type { Playlist } from '../../model/records.ts';
import { type SmartQuery, smartQueryShape } from '../../model/smart-query.ts';
import { playlists as records } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { type Listener, listenerOf, localListener, ownerOf, readerOf } from '../listener.ts';
import * as items from '../playlists/items.ts';
import * as playlists from '../playlists/playlists.ts';
import { evaluateQuery } from '../playlists/smart.ts';
import { resolveBook } from '../queries/resolve.ts';
import { bookRows } from '../views.ts';

function playlistView(playlist: Playlist) {
  return { ...playlist, shared: playlist.user_id === null };
}

async function bookId({ reader }: Audiobooks, listener: Listener, given: string): Promise<string> {
  return (await resolveBook(reader, given, (book) => listener.sees(book))).id;
}

interface OwnPlaylist {
  readonly playlist: Playlist;
  readonly listener: Listener;
}

/** Finds a playlist by id or name. The command line may read any user's playlist by its id. */
async function findPlaylist(audiobooks: Audiobooks, caller: Caller, given: string): Promise<OwnPlaylist> {
  const { store } = audiobooks;
  const id = given.toUpperCase();
  const known = isUlid(id) ? await store.get(records, { id }) : undefined;
  if (known !== undefined) {
    const isLocal = caller.userId === undefined;
    const listener = isLocal ? localListener(known.user_id ?? '-', caller.name) : await listenerOf(audiobooks, caller);
    return { listener, playlist: await playlists.seenPlaylist(store, listener, id) };
  }
  const listener = await readerOf(audiobooks, caller);
  const named = await playlistsNamed(audiobooks, listener, given);
  const [first, ...others] = named;
  if (first === undefined) throw audiobookErrors.PLAYLIST_NOT_FOUND(`There is no playlist ${given}.`);
  if (others.length === 0) return { listener, playlist: first };
  const ids = named.map((each) => each.id);
  throw audiobookErrors.NAME_AMBIGUOUS(`Several playlists are named ${given}: ${ids.join(', ')}.`, {
    details: { ids },
  });
}

const PAGE = 200;

async function playlistsNamed(audiobooks: Audiobooks, listener: Listener, name: string): Promise<readonly Playlist[]> {
  const found: Playlist[] = [];
  let cursor: string | undefined;
  do {
    const page = await playlists.listPlaylists(audiobooks, listener, { limit: PAGE, cursor });
    found.push(...page.items.filter((each) => normalizeText(each.name) === normalizeText(name)));
    ({ cursor } = page);
  } while (cursor !== undefined);
  return found;
}

function expecting(revision: number | undefined): (current: Playlist) => void {
  return (current) => {
    if (revision === undefined || revision === current.revision) return;
    throw audiobookErrors.REVISION_STALE(`The playlist has revision ${current.revision} now.`);
  };
}

/** Checks that the operator and value of each condition fit its field, which the field types cannot express. */
function checkedQuery(given: ObjectValue<typeof queryPreview>['query']): SmartQuery {
  const parsed = smartQueryShape.safeParse(given);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: 'invalid' }] = parsed.error.issues;
  const where = path.length === 0 ? '' : ` at ${path.join('.')}`;
  throw audiobookErrors.QUERY_INVALID(`The query is not valid${where}: ${message}.`);
}

export async function listPlaylists(
  audiobooks: Audiobooks,
  input: ObjectValue<typeof playlistFilters>,
  caller: Caller,
) {
  const { book, ...page } = input;
  const listener = await readerOf(audiobooks, caller);
  const { items: found, cursor } = await playlists.listPlaylists(audiobooks, listener, page);
  const holders =
    book === undefined
      ? undefined
      : await playlists.playlistsWithBook(audiobooks.reader, await bookId(audiobooks, listener, book), found);
  const data = found.map((playlist) => ({
    ...playlistView(playlist),
    ...(holders === undefined ? {} : { has_book: holders.has(playlist.id) }),
  }));
  return { data, next_cursor: cursor ?? null };
}

export async function createPlaylist(audiobooks: Audiobooks, input: ObjectValue<typeof newPlaylist>, caller: Caller) {
  const { name, query, shared } = input;
  const listener = shared ? await listenerOf(audiobooks, caller) : await ownerOf(audiobooks, caller);
  const checked = query === undefined ? undefined : checkedQuery(query);
  return playlistView(
    await playlists.createPlaylist(audiobooks, listener, { name: name.trim(), query: checked, shared }),
  );
}

export async function showPlaylist(
  audiobooks: Audiobooks,
  input: { readonly playlist: string } & PageRequest,
  caller: Caller,
) {
  const { playlist: given, ...page } = input;
  const { playlist, listener } = await findPlaylist(audiobooks, caller, given);
  const found = await itemsOf(audiobooks, listener, playlist, page);
  const rows = await bookRows(
    audiobooks.reader,
    found.items.map(({ book }) => book),
    listener.userId,
  );
  const data = rows.map((book, index) => ({ position: found.items[index]?.position ?? 0, book }));
  return { ...playlistView(playlist), items: { data, next_cursor: found.cursor ?? null } };
}

async function itemsOf(
  audiobooks: Audiobooks,
  listener: Listener,
  playlist: Playlist,
  page: PageRequest,
): Promise<items.ItemPage> {
  if (playlist.query === null) return items.pageOfItems(audiobooks.reader, listener, playlist.id, page);
  const found = await evaluateQuery(audiobooks, listener, playlist.query, page);
  const first = Number.parseInt(page.cursor ?? '0', 10);
  return { items: found.items.map((book, index) => ({ position: first + index, book })), cursor: found.cursor };
}

export async function previewQuery(audiobooks: Audiobooks, input: ObjectValue<typeof queryPreview>, caller: Caller) {
  const { query, ...page } = input;
  const listener = await listenerOf(audiobooks, caller);
  const found = await evaluateQuery(audiobooks, listener, checkedQuery(query), page);
  return {
    data: await bookRows(audiobooks.reader, found.items, listener.userId),
    next_cursor: found.cursor ?? null,
  };
}

export async function editPlaylist(audiobooks: Audiobooks, input: ObjectValue<typeof playlistChanges>, caller: Caller) {
  const { playlist: given, name, query, if_revision: revision } = input;
  const { playlist, listener } = await findPlaylist(audiobooks, caller, given);
  const change = { name: name?.trim(), query: query === undefined ? undefined : checkedQuery(query) };
  return playlistView(await playlists.changePlaylist(audiobooks, listener, playlist.id, change, expecting(revision)));
}

export async function deletePlaylist(
  audiobooks: Audiobooks,
  input: { readonly playlist: string } & IfRevision,
  caller: Caller,
) {
  const { playlist: given, if_revision: revision } = input;
  const { playlist, listener } = await findPlaylist(audiobooks, caller, given);
  await playlists.removePlaylist(audiobooks, listener, playlist.id, expecting(revision));
  return playlistView(playlist);
}

function itemsView({ playlist: { id, name, revision }, items: changed }: items.ChangedItems) {
  return { id, name, revision, items: changed };
}

export async function addItems(audiobooks: Audiobooks, input: ObjectValue<typeof itemsToAdd>, caller: Caller) {
  const { playlist, listener } = await findPlaylist(audiobooks, caller, input.playlist);
  const books = await Promise.all(input.books.map((book) => bookId(audiobooks, listener, book)));
  const before = input.before === undefined ? undefined : await bookId(audiobooks, listener, input.before);
  const request = { playlist: playlist.id, books, before, expect: expecting(input.if_revision) };
  return itemsView(await items.addItems(audiobooks, listener, request));
}

export async function moveItem(audiobooks: Audiobooks, input: ObjectValue<typeof itemToMove>, caller: Caller) {
  const { playlist, listener } = await findPlaylist(audiobooks, caller, input.playlist);
  const book = await bookId(audiobooks, listener, input.book);
  const before = input.before === undefined ? undefined : await bookId(audiobooks, listener, input.before);
  const request = { playlist: playlist.id, book, before, expect: expecting(input.if_revision) };
  return itemsView(await items.moveItem(audiobooks, listener, request));
}

export async function removeItems(audiobooks: Audiobooks, input: ObjectValue<typeof itemsToRemove>, caller: Caller) {
  const { playlist, listener } = await findPlaylist(audiobooks, caller, input.playlist);
  const books = await Promise.all(input.books.map((book) => bookId(audiobooks, listener, book)));
  const request = { playlist: playlist.id, books, expect: expecting(input.if_revision) };
  return itemsView(await items.removeItems(audiobooks, listener, request));
}
