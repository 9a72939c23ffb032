import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ListMusic, ListPlus, Pencil, Play, Plus, Trash2, WandSparkles } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Playlist, SmartQuery } from '../../../api/types.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { playAll, playNext } from '../../../player/player.ts';
import { Tag, Time } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { ConfirmButton, FormDialog } from '../../../ui/dialog.tsx';
import { Field, Segments } from '../../../ui/field.tsx';
import { Card, EmptyState, Loaded, MoreButton, NotLoaded, Page } from '../../../ui/page.tsx';
import { useBooksAction } from '../actions.ts';
import { BooksLink } from '../book-list.tsx';
import { queryText } from './conditions.ts';
import { ManualPlaylist } from './manual-playlist.tsx';
import { playlistQuery, playlistsQuery, readAllBooks } from './playlist-queries.ts';
import { SmartBuilder } from './smart-builder.tsx';

export function View({ id }: { readonly id: string | undefined }): ReactNode {
  return id === undefined ? <AllPlaylists /> : <OnePlaylist id={id} />;
}

function AllPlaylists(): ReactNode {
  const playlists = useQuery(playlistsQuery());
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title="Playlists"
      description="Books in your own order, or all books that match rules"
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
          Create playlist
        </Button>
      }
    >
      <Card isFlush>
        <Loaded query={playlists}>
          {(found) =>
            found.length === 0 ? (
              <EmptyState icon={ListMusic} title="No playlists yet">
                <p>
                  A playlist holds books in your own order, or all books that match rules. Create the first one above.
                </p>
              </EmptyState>
            ) : (
              <ul className="divide-y divide-line">
                {found.map((playlist) => (
                  <li key={playlist.id}>
                    <PlaylistRow playlist={playlist} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {isCreating && <NewPlaylist onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface PlaylistProps {
  readonly playlist: Playlist;
}

function PlaylistRow({ playlist: { id, name, kind, shared, query, updated_at: at } }: PlaylistProps): ReactNode {
  const Icon = kind === 'smart' ? WandSparkles : ListMusic;
  return (
    <BooksLink view="playlists" id={id} className="flex items-center gap-4 px-5 py-3 -outline-offset-2 hover:bg-sunken">
      <Icon className="size-5 shrink-0 text-accent" aria-hidden />
      <span className="grid min-w-0 flex-1">
        <bdi className="truncate font-medium">{name}</bdi>
        <bdi className="truncate text-[13px] text-muted">{queryText(query)}</bdi>
      </span>
      {shared && <Tag>shared</Tag>}
      <span className="hidden text-[13px] text-muted sm:inline">
        <Time at={at} />
      </span>
    </BooksLink>
  );
}

const kinds = [
  { value: 'manual', label: 'Manual' },
  { value: 'smart', label: 'Smart' },
] as const;

function NewPlaylist({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Playlist['kind']>('manual');
  const navigate = useNavigate();
  const create = useBooksAction({
    failed: 'Could not create the playlist',
    run: async () => {
      const query: SmartQuery = { all: [], sort: 'title', limit: null };
      const body = { name: name.trim(), ...(kind === 'smart' ? { query } : {}) };
      const { data } = await booksApi.POST('/playlists', { body, idempotencyKey: randomKey() });
      await navigate({ to: '/books/$view/$id', params: { view: 'playlists', id: data.id } });
    },
  });
  return (
    <FormDialog
      title="Create playlist"
      action="Create playlist"
      isBusy={create.isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field label="Name" dir="auto" required maxLength={200} value={name} onChange={setName} />
      <Segments label="Type" value={kind} options={kinds} onChange={setKind} />
      <p className="text-muted">
        {kind === 'manual'
          ? 'Choose the books and their order.'
          : 'Define rules. Matching books are included automatically.'}
      </p>
    </FormDialog>
  );
}

function OnePlaylist({ id }: { readonly id: string }): ReactNode {
  const query = useInfiniteQuery(playlistQuery(id));
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items.data) ?? [], [query.data]);
  const playlist = query.data?.pages[0];
  if (playlist === undefined) return <NotLoaded query={query} lines={6} />;
  return (
    <Page
      title={playlist.name}
      description={queryText(playlist.query)}
      actions={<PlaylistActions playlist={playlist} hasBooks={items.length > 0} />}
    >
      {playlist.query === null ? (
        <>
          <ManualPlaylist playlistId={id} items={items} />
          <MoreButton query={query}>Load more books</MoreButton>
        </>
      ) : (
        <SmartBuilder key={playlist.revision} playlist={playlist} query={playlist.query} />
      )}
    </Page>
  );
}

function PlaylistActions({ playlist, hasBooks }: PlaylistProps & { readonly hasBooks: boolean }): ReactNode {
  const { id, name } = playlist;
  const navigate = useNavigate();
  const play = useBooksAction({
    failed: 'Could not play the playlist',
    run: async () => playAll(await readAllBooks(id)),
  });
  const append = useBooksAction({
    failed: 'Could not load the playlist',
    done: () => 'Added to Up next',
    run: async () => playNext(await readAllBooks(id)),
  });
  const remove = useBooksAction({
    failed: 'Could not delete the playlist',
    done: () => `Deleted ${name}`,
    run: async () => {
      await booksApi.DELETE('/playlists/{playlist}', { params: { playlist: id } });
      await navigate({ to: '/books/$view', params: { view: 'playlists' } });
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {hasBooks && (
        <>
          <Button variant="primary" icon={Play} isBusy={play.isPending} onClick={() => play.mutate()}>
            Play all
          </Button>
          <Button icon={ListPlus} isBusy={append.isPending} onClick={() => append.mutate()}>
            Add to Up next
          </Button>
        </>
      )}
      <RenamePlaylist playlist={playlist} />
      <ConfirmButton
        icon={Trash2}
        variant="danger"
        aria-label={`Delete ${name}`}
        title={`Delete ${name}?`}
        action="Delete playlist"
        mutation={remove}
        explanation="Its books and your progress in them are kept."
      >
        Delete
      </ConfirmButton>
    </div>
  );
}

function RenamePlaylist({ playlist: { id, name } }: PlaylistProps): ReactNode {
  const [written, setWritten] = useState<string>();
  const close = (): void => setWritten(undefined);
  const rename = useBooksAction({
    failed: 'Could not rename the playlist',
    run: () => booksApi.PATCH('/playlists/{playlist}', { params: { playlist: id }, body: { name: written?.trim() } }),
  });
  return (
    <>
      <IconButton label={`Rename ${name}`} icon={Pencil} onClick={() => setWritten(name)} />
      {written !== undefined && (
        <FormDialog
          title="Rename playlist"
          action="Rename playlist"
          isBusy={rename.isPending}
          isDisabled={written.trim() === ''}
          onSubmit={() => rename.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          <Field label="Name" dir="auto" required maxLength={200} value={written} onChange={setWritten} />
        </FormDialog>
      )}
    </>
  );
}
