import type { CommandContext } from '@holdfast/cli';
import { moveItem } from '../../../service/playlists/items.ts';
import { chosenPlaylist } from '../../chosen-playlist.ts';
import { positionIn } from '../../position-in.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string; readonly book: string };
  readonly options: { readonly user: string | undefined; readonly before: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const moved = await withLibrary(context, async (audiobooks) => {
    const chosen = await chosenPlaylist(audiobooks, args.playlist, options.user);
    const position = await positionIn(audiobooks, chosen, args.book);
    const to = options.before === undefined ? null : await positionIn(audiobooks, chosen, options.before);
    const { playlist, user } = chosen;
    return moveItem(audiobooks, user, { playlist: playlist.id, position, to });
  });
  const { playlist, position } = moved;
  out.result({ playlist_id: playlist.id, name: playlist.name, position }, (page) =>
    page.line(
      options.before === undefined
        ? `${args.book} is the last of ${playlist.name} now.`
        : `${args.book} stands before ${options.before} now.`,
    ),
  );
}
