import type { ListedPlaylist } from '../../../api/types.ts';

export type PlaylistChoice =
  /** The playlist already contains the book. */
  | { readonly kind: 'there'; readonly playlist: ListedPlaylist }
  | { readonly kind: 'add'; readonly playlist: ListedPlaylist }
  | { readonly kind: 'new'; readonly name: string };

/** Returns matching playlists that the user may change, most recently changed first, and an offer to create one. */
export function choicesFor(
  playlists: readonly ListedPlaylist[],
  text: string,
  mayEdit: boolean,
): readonly PlaylistChoice[] {
  const name = text.trim();
  const words = name.toLocaleLowerCase().split(/\s+/u);
  const isWanted = (playlist: ListedPlaylist): boolean =>
    words.every((word) => playlist.name.toLocaleLowerCase().includes(word));
  const chosen = playlists
    .filter((each) => each.kind === 'manual' && (mayEdit || !each.shared) && isWanted(each))
    .toSorted((left, right) => right.updated_at.localeCompare(left.updated_at))
    .map((playlist) => ({ kind: playlist.has_book ? 'there' : 'add', playlist }) as const);
  const isTaken = chosen.some(({ playlist }) => playlist.name.toLocaleLowerCase() === name.toLocaleLowerCase());
  return name === '' || isTaken ? chosen : [...chosen, { kind: 'new', name }];
}
