import type { UseMutationResult } from '@tanstack/react-query';

import { booksApi } from '../../../api/clients.ts';
import type { Book, Playlist } from '../../../api/types.ts';
import { dataOf } from '../../../api/query-options.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { say } from '../../../lib/toasts.ts';
import type { PlaylistChoice } from './playlist-choices.ts';

type Wanted = Exclude<PlaylistChoice, { readonly kind: 'there' }>;

/** Adds a book to a playlist, making it first if it is new; says so, and can take it back. */
export function useAddToPlaylist(book: Book): UseMutationResult<unknown, Error, Wanted> {
  const takeBack = useAction<() => Promise<unknown>>({
    failed: 'Could not take it back',
    done: () => `${book.title} is not on it any more`,
    touches: ['audiobooks'],
    run: (undo) => undo(),
  });
  return useAction<Wanted>({
    failed: 'Could not add the book to the playlist',
    touches: ['audiobooks'],
    run: async (wanted) => {
      const playlist = wanted.kind === 'new' ? await make(wanted.name) : wanted.playlist;
      const { id } = playlist;
      const body = { book_id: book.id };
      const { position } = await dataOf(
        booksApi.POST('/playlists/{id}/items', { params: { id }, body, idempotencyKey: randomKey() }),
      );
      const takeOff = (): Promise<unknown> =>
        wanted.kind === 'new'
          ? booksApi.DELETE('/playlists/{id}', { params: { id } })
          : booksApi.DELETE('/playlists/{id}/items/{position}', { params: { id, position: String(position) } });
      const made = wanted.kind === 'new' ? ', which is new' : '';
      say(`${book.title} is on ${playlist.name}${made}`, { label: 'Undo', run: () => takeBack.mutate(takeOff) });
    },
  });
}

async function make(name: string): Promise<Playlist> {
  return (await booksApi.POST('/playlists', { body: { name }, idempotencyKey: randomKey() })).data;
}
