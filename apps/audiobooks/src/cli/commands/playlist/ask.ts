import type { CommandContext } from '@holdfast/cli';
import { changePlaylist } from '../../../service/playlists/playlists.ts';
import { chosenPlaylist } from '../../chosen-playlist.ts';
import { givenQuery } from '../../given-query.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string; readonly query: string };
  readonly options: { readonly user: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, stdin } = context;
  const query = await givenQuery(args.query, stdin);
  const changed = await withLibrary(context, async (audiobooks) => {
    const { playlist, user } = await chosenPlaylist(audiobooks, args.playlist, options.user);
    return changePlaylist(audiobooks, user, playlist.id, { query });
  });
  out.result({ ...changed }, (page) => page.line(`${changed.name} asks for something else now.`));
}
