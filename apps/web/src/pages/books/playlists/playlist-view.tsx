import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ListPlus, Pencil, Play, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Playlist, PlaylistItem } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { playAll, playNext } from '../../../player/player.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmButton } from '../../../ui/confirm.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { MoreButton } from '../../../ui/more-button.tsx';
import { Page } from '../../../ui/page.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { AddBooks } from './add-books.tsx';
import { inWords } from './conditions.ts';
import { ItemList } from './item-list.tsx';
import { playlistQuery, readAllBooks } from './playlist-queries.ts';
import { SmartBuilder } from './smart-builder.tsx';

export function PlaylistView({ id }: { readonly id: string }): ReactNode {
  const query = useInfiniteQuery(playlistQuery(id));
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items.data) ?? [], [query.data]);
  const [first] = query.data?.pages ?? [];
  if (first === undefined) return query.isError ? <Failure error={query.error} /> : <Skeleton lines={6} />;
  return (
    <Page
      title={first.name}
      description={first.query === null ? 'Manual order' : inWords(first.query)}
      actions={<Actions playlist={first} hasBooks={items.length > 0} />}
    >
      {first.query === null ? (
        <Manual playlist={first} items={items} />
      ) : (
        <SmartBuilder key={first.revision} playlist={first} query={first.query} />
      )}
      {first.query === null && <MoreButton query={query}>Load more books</MoreButton>}
    </Page>
  );
}

function Manual({
  playlist,
  items,
}: {
  readonly playlist: Playlist;
  readonly items: readonly PlaylistItem[];
}): ReactNode {
  return (
    <>
      <Card isFlush>
        <ItemList playlistId={playlist.id} items={items} />
      </Card>
      <AddBooks playlistId={playlist.id} known={new Set(items.map(({ book }) => book.id))} />
    </>
  );
}

function Actions({ playlist, hasBooks }: { readonly playlist: Playlist; readonly hasBooks: boolean }): ReactNode {
  const { id, name } = playlist;
  const navigate = useNavigate();
  const play = useAction({ failed: 'Could not play the playlist', run: async () => playAll(await readAllBooks(id)) });
  const append = useAction({
    failed: 'Could not load the playlist',
    done: () => 'Added to Up next',
    run: async () => playNext(await readAllBooks(id)),
  });
  const remove = useAction({
    failed: 'Could not delete the playlist',
    done: () => `Deleted ${name}`,
    touches: ['audiobooks'],
    run: async () => {
      await booksApi.DELETE('/playlists/{playlist}', { params: { playlist: id } });
      await navigate({ to: '/books/$view', params: { view: 'playlists' } });
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {hasBooks && (
        <>
          <Button
            variant="primary"
            icon={<Play className="size-4 fill-current" aria-hidden />}
            isBusy={play.isPending}
            onClick={() => play.mutate()}
          >
            Play all
          </Button>
          <Button
            icon={<ListPlus className="size-4" aria-hidden />}
            isBusy={append.isPending}
            onClick={() => append.mutate()}
          >
            Add to Up next
          </Button>
        </>
      )}
      <RenamePlaylist playlist={playlist} />
      <ConfirmButton
        iconLabel={`Delete ${name}`}
        icon={<Trash2 className="size-4" aria-hidden />}
        title={`Delete ${name}?`}
        action="Delete playlist"
        mutation={remove}
        explanation={<p>Its books and your progress in them are kept.</p>}
      />
    </div>
  );
}

function RenamePlaylist({ playlist: { id, name } }: { readonly playlist: Playlist }): ReactNode {
  const [written, setWritten] = useState<string>();
  const close = (): void => setWritten(undefined);
  const rename = useAction({
    failed: 'Could not rename the playlist',
    touches: ['audiobooks'],
    run: async () => {
      await booksApi.PATCH('/playlists/{playlist}', { params: { playlist: id }, body: { name: written?.trim() } });
      close();
    },
  });
  return (
    <>
      <IconButton label={`Rename ${name}`} onClick={() => setWritten(name)}>
        <Pencil className="size-4" aria-hidden />
      </IconButton>
      {written !== undefined && (
        <FormDialog
          title="Rename playlist"
          action="Rename playlist"
          isBusy={rename.isPending}
          isDisabled={written.trim() === ''}
          onSubmit={() => rename.mutate()}
          onClose={close}
        >
          <Field label="Name" dir="auto" required maxLength={200} value={written} onChange={setWritten} />
        </FormDialog>
      )}
    </>
  );
}
