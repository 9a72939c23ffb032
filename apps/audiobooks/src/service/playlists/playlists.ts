import type { PageRequest } from '../../operations/fields.ts';
import type { Page, Reads, Transaction } from '@holdfast/keyspace';
import { audiobookErrors } from '../../model/errors.ts';
import type { Playlist } from '../../model/records.ts';
import type { SmartQuery } from '../../model/smart-query.ts';
import { toTime } from '../../model/stored.ts';
import { playlistItems, playlists } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { Listener } from '../listener.ts';

/** Lists the user's own playlists, oldest first, then shared ones. */
export function listPlaylists(
  { reader }: Audiobooks,
  { userId }: Listener,
  { limit, cursor }: PageRequest,
): Promise<Page<Playlist>> {
  return reader.snapshot(async (reads) => {
    const isShared = cursor?.startsWith(SHARED) === true;
    if (!isShared) {
      const own = await reads.page(playlists.by.user, { user_id: userId }, { limit, cursor });
      if (own.cursor !== undefined || own.items.length === limit) {
        return { items: own.items, cursor: own.cursor ?? SHARED };
      }
      const shared = await reads.page(playlists.by.shared, {}, { limit: limit - own.items.length });
      return { items: [...own.items, ...shared.items], cursor: sharedCursor(shared.cursor) };
    }
    const rest = cursor.slice(SHARED.length);
    const shared = await reads.page(playlists.by.shared, {}, { limit, cursor: rest === '' ? undefined : rest });
    return { items: shared.items, cursor: sharedCursor(shared.cursor) };
  });
}

/** Prefix of cursors into the list of shared playlists. Cursors into the user's own list never start with it. */
const SHARED = '~';

function sharedCursor(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : SHARED + cursor;
}

export interface NewPlaylist {
  readonly name: string;
  readonly query?: SmartQuery | undefined;
  readonly shared?: boolean | undefined;
}

export async function createPlaylist(
  { store, now, newId }: Audiobooks,
  user: Listener,
  { name, query, shared = false }: NewPlaylist,
): Promise<Playlist> {
  if (shared && !user.can.edit) throw editRightMissing();
  const at = toTime(now());
  const playlist: Playlist = {
    id: newId(),
    name,
    user_id: shared ? null : user.userId,
    kind: query === undefined ? 'manual' : 'smart',
    query: query ?? null,
    created_at: at,
    updated_at: at,
    revision: 0,
    version: 1,
  };
  return store.transact(async (tx) => {
    await tx.put(playlists, { id: playlist.id }, playlist);
    return playlist;
  });
}

/** Returns a playlist that the listener may see. Other users' playlists count as not found. */
export async function seenPlaylist(reads: Reads, { userId }: Listener, id: string): Promise<Playlist> {
  const found = await reads.get(playlists, { id });
  if (found !== undefined && (found.user_id === null || found.user_id === userId)) return found;
  throw audiobookErrors.PLAYLIST_NOT_FOUND(`There is no playlist ${id}.`);
}

/** Called inside the transaction with the current playlist; throws to refuse the change. */
export type Expect = ((current: Playlist) => void) | undefined;

export async function ownPlaylist(reads: Reads, user: Listener, id: string, expect?: Expect): Promise<Playlist> {
  const found = await seenPlaylist(reads, user, id);
  if (found.user_id === null && !user.can.edit) throw editRightMissing();
  expect?.(found);
  return found;
}

function editRightMissing(): Error {
  return audiobookErrors.RIGHTS_MISSING('Only users with edit access can create or change shared playlists.');
}

export async function touchPlaylist(tx: Transaction, playlist: Playlist, at: string): Promise<Playlist> {
  const changed = { ...playlist, updated_at: at, revision: playlist.revision + 1 };
  await tx.put(playlists, { id: playlist.id }, changed);
  return changed;
}

export interface PlaylistChange {
  readonly name?: string | undefined;
  readonly query?: SmartQuery | undefined;
}

export function changePlaylist(
  { store, now }: Audiobooks,
  user: Listener,
  id: string,
  { name, query }: PlaylistChange,
  expect?: Expect,
): Promise<Playlist> {
  return store.transact(async (tx) => {
    const playlist = await ownPlaylist(tx, user, id, expect);
    if (query !== undefined && playlist.kind === 'manual') {
      throw audiobookErrors.QUERY_INVALID('Only a smart playlist has a query.');
    }
    const changed = { ...playlist, name: name ?? playlist.name, query: query ?? playlist.query };
    return touchPlaylist(tx, changed, toTime(now()));
  });
}

export function removePlaylist({ store }: Audiobooks, user: Listener, id: string, expect?: Expect): Promise<void> {
  return store.transact(async (tx) => {
    await ownPlaylist(tx, user, id, expect);
    for (const { key } of await tx.entries(playlistItems, { playlist: id })) {
      await tx.delete(playlistItems, key);
    }
    await tx.delete(playlists, { id });
  });
}

/** Returns the manual playlists that contain a book; does not evaluate smart ones. */
export async function playlistsWithBook(
  reads: Reads,
  book: string,
  among: readonly Playlist[],
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    among.map(({ id }) => reads.list(playlistItems.by.book, { book_id: book, playlist: id }, { limit: 1 })),
  );
  return new Set(among.filter((_, index) => found[index]?.length === 1).map(({ id }) => id));
}
