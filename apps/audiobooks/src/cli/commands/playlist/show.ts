import type { CommandContext } from '@holdfast/cli';
import { rowOf } from '../../../model/book-row.ts';
import { pageOfItems } from '../../../service/playlists/items.ts';
import { listPlaylists } from '../../../service/playlists/playlists.ts';
import { evaluateQuery } from '../../../service/playlists/smart.ts';
import { chosenListener } from '../../chosen-listener.ts';
import { chosenPlaylist } from '../../chosen-playlist.ts';
import { printBooks } from '../../view/books.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string | undefined };
  readonly options: {
    readonly user: string | undefined;
    readonly limit: number;
    readonly cursor: string | undefined;
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const given = context.args.playlist;
  const cursor = given === undefined ? await showAll(context) : await showBooks(context, given);
  if (cursor !== undefined) context.note(`There are more: --cursor ${cursor}`);
}

async function showAll(context: CommandContext<Input>): Promise<string | undefined> {
  const { options, out } = context;
  const { items, cursor } = await withLibrary(context, async (audiobooks) =>
    listPlaylists(audiobooks, await chosenListener(audiobooks, options.user), options),
  );
  out.result(items, (page) => {
    if (items.length === 0) page.line('There are no playlists.');
    else
      page.table(items, [
        { heading: 'ID', value: (list) => list.id },
        { heading: 'NAME', value: (list) => list.name, flexible: true },
        { heading: 'KIND', value: (list) => list.kind },
        { heading: 'WHOSE', value: (list) => (list.user_id === null ? 'everybody' : 'own') },
      ]);
  });
  return cursor;
}

async function showBooks(context: CommandContext<Input>, given: string): Promise<string | undefined> {
  const { options, out } = context;
  const { items, cursor } = await withLibrary(context, async (audiobooks) => {
    const { playlist, user } = await chosenPlaylist(audiobooks, given, options.user);
    if (playlist.query !== null) return evaluateQuery(audiobooks, user, playlist.query, options);
    const found = await pageOfItems(audiobooks.store, user, playlist.id, options);
    return { items: found.items.map(({ book }) => book), cursor: found.cursor };
  });
  const rows = items.map(rowOf);
  out.result(rows, (page) => printBooks(page, rows, 'No books.'));
  return cursor;
}
