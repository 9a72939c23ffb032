import type { CommandContext } from '@holdfast/cli';
import { changePlaylist } from '../../../service/playlists/playlists.ts';
import { chosenPlaylist } from '../../chosen-playlist.ts';
import { givenName } from '../../given-name.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string; readonly name: string };
  readonly options: { readonly user: string | undefined };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const name = givenName(args.name);
  const { before, after } = await withLibrary(context, async (audiobooks) => {
    const { playlist, user } = await chosenPlaylist(audiobooks, args.playlist, options.user);
    return { before: playlist, after: await changePlaylist(audiobooks, user, playlist.id, { name }) };
  });
  out.result({ ...after }, (page) => page.line(`${before.name} is called ${after.name} now.`));
}
