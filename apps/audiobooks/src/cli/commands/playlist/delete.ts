import type { CommandContext } from '@holdfast/cli';
import { removePlaylist } from '../../../service/playlists/playlists.ts';
import { chosenPlaylist } from '../../chosen-playlist.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string };
  readonly options: { readonly user: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const gone = await withLibrary(context, async (audiobooks) => {
    const { playlist, user } = await chosenPlaylist(audiobooks, args.playlist, options.user);
    await removePlaylist(audiobooks, user, playlist.id);
    return playlist;
  });
  out.result({ ...gone }, (page) => page.line(`${gone.name} is deleted; its books stay.`));
}
