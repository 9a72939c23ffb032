import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, ListMusic, ListPlus, Pencil, Plus, RotateCcw, Rss } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { feedsQuery } from '../../../api/audiobooks-queries.ts';
import { booksApi } from '../../../api/clients.ts';
import type { Book, CreatedFeed } from '../../../api/types.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { say } from '../../../lib/toasts.ts';
import { Tag, Time } from '../../../ui/badge.tsx';
import { Button, buttonClass, CopyButton } from '../../../ui/button.tsx';
import { ConfirmButton, Dialog } from '../../../ui/dialog.tsx';
import { Finder, FinderDialog } from '../../../ui/finder.tsx';
import { Loaded } from '../../../ui/page.tsx';
import { useBooksAction, useRights } from '../actions.ts';
import { BooksLink } from '../book-list.tsx';
import { playlistsQuery } from '../playlists/playlist-queries.ts';
import { DownloadButton } from './download-button.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { choicesFor, type PlaylistChoice } from './playlist-choices.ts';

interface BookProps {
  readonly book: Book;
}

export function BookActions({ book, etag }: BookProps & { readonly etag: string | null }): ReactNode {
  const { edit, manage } = useRights();
  const [open, setOpen] = useState<'edit' | 'feed'>();
  const close = (): void => setOpen(undefined);
  const params = { book: book.id };
  const restore = useBooksAction({
    failed: 'Could not restore the book',
    done: () => 'Book restored',
    run: () => booksApi.POST('/books/{book}/restore', { params }),
  });
  const remove = useBooksAction({
    failed: 'Could not remove the book',
    done: () => 'Book removed from the library',
    run: () => booksApi.DELETE('/books/{book}', { params }),
  });
  if (book.deleted_at !== null) {
    return (
      edit && (
        <Button variant="primary" isBusy={restore.isPending} onClick={() => restore.mutate()}>
          Restore book
        </Button>
      )
    );
  }
  return (
    <>
      <ProgressButtons book={book} />
      <DownloadButton book={book} />
      <AddToPlaylist book={book} />
      <Button icon={Rss} onClick={() => setOpen('feed')}>
        Podcast link
      </Button>
      {edit && (
        <Button icon={Pencil} onClick={() => setOpen('edit')}>
          Edit book
        </Button>
      )}
      {edit && (
        <BooksLink view="match" id={book.id} className={buttonClass()}>
          Find metadata
        </BooksLink>
      )}
      {manage && book.segments.length > 1 && (
        <BooksLink view="merge" search={{ book: book.id }} className={buttonClass()}>
          Merge files
        </BooksLink>
      )}
      {edit && (
        <ConfirmButton
          variant="danger"
          title="Remove this book?"
          action="Remove book"
          mutation={remove}
          explanation={
            <>
              <p>This hides the book. Its files and all listening positions are kept.</p>
              <p className="text-muted">To restore it, select &ldquo;Removed&rdquo; in the library&rsquo;s filter.</p>
            </>
          }
        >
          Remove book
        </ConfirmButton>
      )}
      {open === 'edit' && <EditDialog book={book} etag={etag} onClose={close} />}
      {open === 'feed' && <FeedDialog book={book} onClose={close} />}
    </>
  );
}

function ProgressButtons({ book }: BookProps): ReactNode {
  const params = { book: book.id };
  const isFinished = book.progress?.finished ?? false;
  const mark = useBooksAction({
    failed: 'Could not change your progress',
    run: () => booksApi.PUT('/progress/{book}', { params, body: { finished: !isFinished } }),
  });
  const reset = useBooksAction({
    failed: 'Could not reset your progress',
    run: () => booksApi.DELETE('/progress/{book}', { params }),
  });
  return (
    <>
      <Button icon={Check} isBusy={mark.isPending} onClick={() => mark.mutate()}>
        {isFinished ? 'Mark as unfinished' : 'Mark as finished'}
      </Button>
      {book.progress !== null && (
        <ConfirmButton
          icon={RotateCcw}
          title="Reset your progress?"
          action="Reset progress"
          mutation={reset}
          explanation="The book will start from the beginning. Your listening statistics are kept."
        >
          Reset progress
        </ConfirmButton>
      )}
    </>
  );
}

type PlaylistAddition = Exclude<PlaylistChoice, { readonly kind: 'there' }>;

/** Adds a book to an existing playlist, or to a new one that it creates. Works with the keyboard alone. */
function AddToPlaylist({ book }: BookProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const undo = useBooksAction<() => Promise<unknown>>({
    failed: 'Could not undo',
    done: () => `Removed ${book.title}`,
    run: (removeBook) => removeBook(),
  });
  const add = useBooksAction<PlaylistAddition>({
    failed: 'Could not add the book to the playlist',
    run: async (choice) => {
      const isNew = choice.kind === 'new';
      const playlist = isNew ? await createPlaylist(choice.name) : choice.playlist;
      const params = { playlist: playlist.id };
      const books = [book.id];
      await booksApi.POST('/playlists/{playlist}/items', { params, body: { books }, idempotencyKey: randomKey() });
      const removeBook = (): Promise<unknown> =>
        isNew
          ? booksApi.DELETE('/playlists/{playlist}', { params })
          : booksApi.DELETE('/playlists/{playlist}/items', { params, query: { books } });
      say(`Added ${book.title} to ${isNew ? 'new playlist ' : ''}${playlist.name}`, {
        label: 'Undo',
        run: () => undo.mutate(removeBook),
      });
    },
  });
  const choose = (choice: PlaylistChoice): void => {
    setOpen(false);
    if (choice.kind !== 'there') return add.mutate(choice);
    void navigate({ to: '/books/$view/$id', params: { view: 'playlists', id: choice.playlist.id } });
  };
  return (
    <>
      <Button icon={ListPlus} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Add to playlist
      </Button>
      <FinderDialog label="Add to playlist" isOpen={isOpen} onOpenChange={setOpen}>
        <PlaylistFinder book={book} onChoose={choose} />
      </FinderDialog>
    </>
  );
}

async function createPlaylist(name: string): Promise<{ readonly id: string; readonly name: string }> {
  return (await booksApi.POST('/playlists', { body: { name }, idempotencyKey: randomKey() })).data;
}

interface PlaylistFinderProps extends BookProps {
  readonly onChoose: (choice: PlaylistChoice) => void;
}

function PlaylistFinder({ book, onChoose }: PlaylistFinderProps): ReactNode {
  const [text, setText] = useState('');
  const { edit } = useRights();
  const { data: playlists, isError } = useQuery(playlistsQuery(book.id));
  const none = playlists === undefined ? 'Loading playlists …' : 'No playlists yet. Type a name to create one.';
  return (
    <Finder
      label="Playlist name"
      text={text}
      onText={setText}
      found={playlists === undefined ? [] : choicesFor(playlists, text, edit)}
      keyOf={(choice) => (choice.kind === 'new' ? 'new' : choice.playlist.id)}
      none={isError ? 'Could not load your playlists.' : none}
      render={(choice) => <ChoiceRow choice={choice} />}
      onChoose={onChoose}
    />
  );
}

function ChoiceRow({ choice }: { readonly choice: PlaylistChoice }): ReactNode {
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
  return (
    <>
      <ListMusic className="size-4 shrink-0" aria-hidden />
      <bdi className="min-w-0 flex-1 truncate">{choice.playlist.name}</bdi>
      {choice.playlist.shared && <Tag>shared</Tag>}
      {choice.kind === 'there' && (
        <span className="flex shrink-0 items-center gap-1.5 text-[13px]">
          <Check className="size-4 text-good" aria-hidden />
          Already added; open playlist
        </span>
      )}
    </>
  );
}

/** Creates and revokes private links with which a podcast app plays this book. */
function FeedDialog({ book, onClose }: BookProps & { readonly onClose: () => void }): ReactNode {
  const feeds = useQuery(feedsQuery);
  const create = useBooksAction<void, CreatedFeed>({
    failed: 'Could not create the link',
    run: async () => (await booksApi.POST('/feeds', { body: { kind: 'book', book: book.id } })).data,
  });
  return (
    <Dialog
      title="Listen in a podcast app"
      description="Anyone with this private link can listen to the book until you revoke it."
      isOpen
      isPersistent={create.data !== undefined}
      onClose={onClose}
    >
      <div className="grid gap-4">
        {create.data === undefined ? (
          <div>
            <Button variant="primary" isBusy={create.isPending} onClick={() => create.mutate()}>
              Create link
            </Button>
          </div>
        ) : (
          <NewLink url={new URL(create.data.url, location.href).href} />
        )}
        <Loaded query={feeds}>
          {(all) => {
            const own = all.filter(({ book_id: id }) => id === book.id);
            return (
              own.length > 0 && (
                <section aria-label="Links to this book" className="grid gap-1">
                  <h3 className="text-[13px] font-medium">Links to this book</h3>
                  <ul className="divide-y divide-line rounded-lg border border-line">
                    {own.map(({ id, created_at: at }) => (
                      <LinkRow key={id} id={id} at={at} />
                    ))}
                  </ul>
                </section>
              )
            );
          }}
        </Loaded>
      </div>
    </Dialog>
  );
}

function NewLink({ url }: { readonly url: string }): ReactNode {
  return (
    <div className="grid gap-2">
      <p className="font-medium">Copy the link now. It is shown only once.</p>
      <div className="flex items-center gap-2 rounded-lg bg-sunken p-3 font-mono text-[13px]">
        <code className="min-w-0 flex-1 break-all">{url}</code>
        <CopyButton text={url} label="Copy link" />
      </div>
    </div>
  );
}

function LinkRow({ id, at }: { readonly id: string; readonly at: string }): ReactNode {
  const revoke = useBooksAction({
    failed: 'Could not revoke the link',
    done: () => 'Link revoked',
    run: () => booksApi.DELETE('/feeds/{feed}', { params: { feed: id } }),
  });
  return (
    <li className="flex items-center gap-3 px-3 py-2">
      <span className="min-w-0 flex-1 text-[13px]">
        Created <Time at={at} />
      </span>
      <Button size="small" variant="danger" isBusy={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke link
      </Button>
    </li>
  );
}
