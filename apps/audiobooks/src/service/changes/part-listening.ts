import type { Transaction } from '@holdfast/keyspace';
import type { Operation } from '../../model/operation.ts';
import type { Progress } from '../../model/playback.ts';
import type { PlaylistItem } from '../../model/playlist.ts';
import { bookmarks, playlistItems, playlists, progress } from '../../store/definitions.ts';
import { itemsWithBook } from '../playlists/items.ts';

/** Listening data that a merge of two books moved, for undo. */
export interface MovedListening {
  /** Progress in the remaining book, before and after. */
  readonly places: readonly { readonly before: Progress | null; readonly after: Progress }[];
  /** Copies in the remaining book and their originals. Omits notes, which may be encrypted. */
  readonly bookmarks: readonly { readonly user_id: string; readonly id: string; readonly of: string }[];
  /** Playlist positions of the other book. */
  readonly items: readonly {
    readonly place: { readonly playlist: string; readonly position: number };
    readonly item: PlaylistItem;
  }[];
}

/** Separates merged books again. Later changes by listeners stay. */
export async function partListening(tx: Transaction, { result }: Operation): Promise<void> {
  const listening = result?.['listening'] as MovedListening | undefined;
  const [keep, other] = (result?.['books'] ?? []) as readonly string[];
  if (listening === undefined || keep === undefined || other === undefined) return;
  for (const { before, after } of listening.places) await partPlace(tx, before, after);
  for (const { user_id, id, of } of listening.bookmarks) {
    const key = { user_id, book_id: keep, id };
    const [copy, first] = [await tx.get(bookmarks, key), await tx.get(bookmarks, { user_id, book_id: other, id: of })];
    if (copy !== undefined && copy.note === first?.note) await tx.delete(bookmarks, key);
  }
  for (const { place, item } of listening.items) {
    const now = await tx.get(playlistItems, place);
    const isOpen = now === undefined || (now.book_id === keep && now.added_at === item.added_at);
    const hasOther = (await itemsWithBook(tx, other, place.playlist)).length > 0;
    if (!isOpen || hasOther || (await tx.get(playlists, { id: place.playlist })) === undefined) continue;
    await tx.put(playlistItems, place, item);
  }
}

async function partPlace(tx: Transaction, before: Progress | null, after: Progress): Promise<void> {
  const key = { user_id: after.user_id, book_id: after.book_id };
  const now = await tx.get(progress, key);
  // Keep progress that changed since the merge.
  if (now?.revision !== after.revision || now.generation !== after.generation) return;
  if (before === null) await tx.delete(progress, key);
  else await tx.put(progress, key, { ...before, revision: now.revision + 1 });
}
