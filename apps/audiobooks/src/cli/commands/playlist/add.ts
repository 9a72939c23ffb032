import { isHoldfastError } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import type { Book } from '../../../model/book.ts';
import { audiobookErrors } from '../../../model/errors.ts';
import type { Audiobooks } from '../../../service/audiobooks.ts';
import { addItem } from '../../../service/playlists/items.ts';
import { resolveBook } from '../../../service/queries/resolve.ts';
import { type ChosenPlaylist, chosenPlaylist } from '../../chosen-playlist.ts';
import { positionIn } from '../../position-in.ts';
import { withLibrary } from '../../with-library.ts';

interface Input {
  readonly args: { readonly playlist: string; readonly books: readonly string[] };
  readonly options: { readonly user: string | undefined; readonly before: string | undefined };
}

interface Placed {
  readonly book_id: string;
  readonly title: string;
  /** Null for a book that was on it already, which stays where it is. */
  readonly position: number | null;
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { args, options, out } = context;
  const { id, name, books } = await withLibrary(context, async (audiobooks) => {
    const chosen = await chosenPlaylist(audiobooks, args.playlist, options.user);
    // All of them first: a mistake in the last name must not leave half of it done.
    const wanted = await Promise.all(args.books.map((given) => resolveBook(audiobooks.store, given)));
    const placed: Placed[] = [];
    for (const book of wanted) {
      // Asked for each time: the list is numbered anew when there is no room between two.
      const before = options.before === undefined ? undefined : await positionIn(audiobooks, chosen, options.before);
      placed.push(await put(audiobooks, chosen, book, before));
    }
    return { id: chosen.playlist.id, name: chosen.playlist.name, books: placed };
  });
  out.result({ playlist_id: id, name, books }, (page) => {
    for (const { title, position } of books) {
      page.line(position === null ? `${title} is on ${name} already.` : `${title} is on ${name} now.`);
    }
  });
}

async function put(
  audiobooks: Audiobooks,
  { playlist, user }: ChosenPlaylist,
  { id, title }: Book,
  before: number | undefined,
): Promise<Placed> {
  try {
    const { position } = await addItem(audiobooks, user, { playlist: playlist.id, book: id, before });
    return { book_id: id, title, position };
  } catch (error) {
    if (isHoldfastError(error, audiobookErrors.PLAYLIST_HAS_BOOK.code)) return { book_id: id, title, position: null };
    throw error;
  }
}
