import type { CommandContext } from '@holdfast/cli';
import { removeItem } from '../../../service/playlists/items.ts';
import { chosenPlaylist } from '../../chosen-playlist.ts';
import { positionIn } from '../../position-in.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string; readonly books: readonly string[] };
  readonly options: { readonly user: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const { id, name, removed } = await withLibrary(context, async (audiobooks) => {
    const chosen = await chosenPlaylist(audiobooks, args.playlist, options.user);
    const { playlist, user } = chosen;
    const positions = new Set<number>();
    for (const given of args.books) positions.add(await positionIn(audiobooks, chosen, given));
    for (const position of positions) await removeItem(audiobooks, user, { playlist: playlist.id, position });
    return { id: playlist.id, name: playlist.name, removed: positions.size };
  });
  out.result({ playlist_id: id, name, removed }, (page) =>
    page.line(`${removed === 1 ? 'One book is' : `${removed} books are`} no longer on ${name}.`),
  );
}
