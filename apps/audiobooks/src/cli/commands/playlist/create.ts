import { commandLineErrors, type CommandContext } from '@holdfast/cli';
import type { Audiobooks } from '../../../service/audiobooks.ts';
import { localListener } from '../../../service/listening/listener.ts';
import { createPlaylist, type PlaylistUser } from '../../../service/playlists/playlists.ts';
import { chosenListener } from '../../chosen-listener.ts';
import { givenName } from '../../given-name.ts';
import { givenQuery } from '../../given-query.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly name: string };
  readonly options: {
    readonly user: string | undefined;
    readonly shared: boolean;
    readonly query: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out, stdin } = context;
  const { shared } = options;
  const name = givenName(args.name);
  const query = options.query === undefined ? undefined : await givenQuery(options.query, stdin);
  const kind = query === undefined ? 'manual' : 'smart';
  const made = await withLibrary(context, async (audiobooks) =>
    createPlaylist(audiobooks, await ownerOf(audiobooks, options), { name, kind, query, shared }),
  );
  out.result({ ...made }, (page) => page.line(`${made.name} is made: ${made.id}`));
}

async function ownerOf(
  audiobooks: Audiobooks,
  { user, shared }: Pick<Input['options'], 'user' | 'shared'>,
): Promise<PlaylistUser> {
  if (shared) return { ...localListener('-'), mayEdit: true };
  const listener = await chosenListener(audiobooks, user);
  if (listener.userId !== '-') return { ...listener, mayEdit: true };
  throw commandLineErrors.MISSING_ARGUMENT('Nobody has listened here yet: say whose it is with --user ID.', {
    hint: "'holdfast user list' shows the ids; with --shared it is for everybody.",
  });
}
