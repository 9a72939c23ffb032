import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, ListMusic, ListPlus, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { rightsQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Book, Playlist } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { say } from '../../../lib/toasts.ts';
import { Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Finder, FinderDialog } from '../../../ui/finder.tsx';
import { playlistsWithBookQuery } from '../playlists/playlist-queries.ts';
import { choicesFor, type PlaylistChoice } from './playlist-choices.ts';

/** Adds a book to a playlist, which can be created on the way. Works with the keyboard alone. */
export function AddToPlaylist({ book }: { readonly book: Book }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const add = useAddToPlaylist(book);
  const navigate = useNavigate();
  const choose = (choice: PlaylistChoice): void => {
    setOpen(false);
    if (choice.kind === 'there') {
      void navigate({ to: '/books/$view/$id', params: { view: 'playlists', id: choice.playlist.id } });
    } else add.mutate(choice);
  };
  return (
    <>
      <Button icon={<ListPlus className="size-4" aria-hidden />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add to playlist
      </Button>
      <FinderDialog label="Add to playlist" isOpen={isOpen} onOpenChange={setOpen}>
        <Playlists book={book} onChoose={choose} />
      </FinderDialog>
    </>
  );
}

interface PlaylistsProps {
  readonly book: Book;
  readonly onChoose: (choice: PlaylistChoice) => void;
}

function Playlists({ book, onChoose }: PlaylistsProps): ReactNode {
  const [text, setText] = useState('');
  const mayEdit = useQuery(rightsQuery).data?.can.edit ?? false;
  const { data: playlists, isError } = useQuery(playlistsWithBookQuery(book.id));
  const found = playlists === undefined ? [] : choicesFor(playlists, text, mayEdit);
  return (
    <Finder
      label="Playlist name"
      text={text}
      onText={setText}
      found={found}
      keyOf={(choice) => (choice.kind === 'new' ? 'new' : choice.playlist.id)}
      none={noneText(playlists !== undefined, isError)}
      render={(choice) => <Row choice={choice} />}
      onChoose={onChoose}
    />
  );
}

function noneText(isRead: boolean, isError: boolean): string {
  if (isError) return 'Could not load your playlists.';
  return isRead ? 'No playlists yet. Type a name to create one.' : 'Loading playlists …';
}

function Row({ choice }: { readonly choice: PlaylistChoice }): ReactNode {
  if (choice.kind === 'new') {
    return (
      <>
        <Plus className="size-4 shrink-0" aria-hidden />
        <span className="min-w-0 truncate">
          Create playlist <bdi>“{choice.name}”</bdi>
        </span>
      </>
    );
  }
  const { playlist } = choice;
  return (
    <>
      <ListMusic className="size-4 shrink-0" aria-hidden />
      <span dir="auto" className="min-w-0 flex-1 truncate">
        {playlist.name}
      </span>
      {playlist.shared && <Tag>shared</Tag>}
      {choice.kind === 'there' && (
        <span className="flex shrink-0 items-center gap-1.5 text-[13px]">
          <Check className="size-4 text-good" aria-hidden />
          Already added; open
        </span>
      )}
    </>
  );
}

type Wanted = Exclude<PlaylistChoice, { readonly kind: 'there' }>;

/** Adds a book to a playlist, creating it if necessary, and offers Undo. */
function useAddToPlaylist(book: Book): UseMutationResult<unknown, Error, Wanted> {
  const takeBack = useAction<() => Promise<unknown>>({
    failed: 'Could not undo',
    done: () => `Removed ${book.title}`,
    touches: ['audiobooks'],
    run: (undo) => undo(),
  });
  return useAction<Wanted>({
    failed: 'Could not add the book to the playlist',
    touches: ['audiobooks'],
    run: async (wanted) => {
      const playlist = wanted.kind === 'new' ? await make(wanted.name) : wanted.playlist;
      const { id } = playlist;
      const params = { playlist: id };
      const body = { books: [book.id] };
      await booksApi.POST('/playlists/{playlist}/items', { params, body, idempotencyKey: randomKey() });
      const takeOff = (): Promise<unknown> =>
        wanted.kind === 'new'
          ? booksApi.DELETE('/playlists/{playlist}', { params })
          : booksApi.DELETE('/playlists/{playlist}/items', { params, query: { books: [book.id] } });
      const target = wanted.kind === 'new' ? 'new playlist ' : '';
      say(`Added ${book.title} to ${target}${playlist.name}`, { label: 'Undo', run: () => takeBack.mutate(takeOff) });
    },
  });
}

async function make(name: string): Promise<Playlist> {
  return (await booksApi.POST('/playlists', { body: { name }, idempotencyKey: randomKey() })).data;
}
