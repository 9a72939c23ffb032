import { audiobookErrors } from '../model/errors.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { placesOf } from '../service/playlists/items.ts';
import { resolveBook } from '../service/queries/resolve.ts';
import type { ChosenPlaylist } from './chosen-playlist.ts';

/** Where a book stands in a playlist: people name the book, and the list its position. */
export async function positionIn({ store }: Audiobooks, { playlist }: ChosenPlaylist, given: string): Promise<number> {
  const { id, title } = await resolveBook(store, given);
  const [place] = await store.transact((tx) => placesOf(tx, id, playlist.id));
  if (place !== undefined) return place.position;
  throw audiobookErrors.PLAYLIST_ITEM_NOT_FOUND(`${title} is not on ${playlist.name}.`, {
    hint: `'holdfast audiobooks playlist ${playlist.id}' shows what is on it.`,
  });
}
