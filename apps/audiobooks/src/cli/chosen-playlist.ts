import { isUlid } from '@holdfast/keyspace';
import { audiobookErrors } from '../model/errors.ts';
import { normalizeText } from '../model/normalize.ts';
import type { Playlist } from '../model/playlist.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { localListener } from '../service/listening/listener.ts';
import { listPlaylists, type PlaylistUser, seenPlaylist } from '../service/playlists/playlists.ts';
import { playlists } from '../store/definitions.ts';
import { chosenListener } from './chosen-listener.ts';

export interface ChosenPlaylist {
  readonly playlist: Playlist;
  /** On whose behalf it is changed. */
  readonly user: PlaylistUser;
}

const AT_ONCE = 200;

/** The playlist that is meant. An id says whose it is; a name is looked for among those of one person and of everybody. */
export async function chosenPlaylist(
  audiobooks: Audiobooks,
  given: string,
  whose: string | undefined,
): Promise<ChosenPlaylist> {
  const id = given.toUpperCase();
  const found = isUlid(id) ? await audiobooks.store.get(playlists, { id }) : undefined;
  if (found !== undefined) {
    const user = { ...localListener(whose ?? found.user_id ?? '-'), mayEdit: true };
    return { playlist: await seenPlaylist(audiobooks.store, user, id), user };
  }
  const user = { ...(await chosenListener(audiobooks, whose)), mayEdit: true };
  const named = await playlistsCalled(audiobooks, user, given);
  const [first] = named;
  if (first === undefined) throw audiobookErrors.PLAYLIST_NOT_FOUND(`There is no playlist ${given}.`);
  if (named.length > 1) {
    const ids = named.map((each) => each.id);
    throw audiobookErrors.PLAYLIST_AMBIGUOUS(`Several playlists are called ${given}: ${ids.join(', ')}.`, {
      details: { ids },
    });
  }
  return { playlist: first, user };
}

async function playlistsCalled(audiobooks: Audiobooks, user: PlaylistUser, name: string): Promise<readonly Playlist[]> {
  const found: Playlist[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPlaylists(audiobooks, user, { limit: AT_ONCE, cursor });
    found.push(...page.items.filter((each) => normalizeText(each.name) === normalizeText(name)));
    ({ cursor } = page);
  } while (cursor !== undefined);
  return found;
}
