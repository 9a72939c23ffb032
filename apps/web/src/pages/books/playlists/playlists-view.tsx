import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ListMusic, Plus, WandSparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { booksApi } from '../../../api/clients.ts';
import type { Playlist, SmartQuery } from '../../../api/types.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';
import { Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { Time } from '../../../ui/time.tsx';
import type { ViewProps } from '../view-props.ts';
import { inWords } from './conditions.ts';
import { PlaylistView } from './playlist-view.tsx';
import { playlistsQuery } from './playlist-queries.ts';

export function View({ id }: ViewProps): ReactNode {
  return id === undefined ? <Playlists /> : <PlaylistView id={id} />;
}

function Playlists(): ReactNode {
  const playlists = useQuery(playlistsQuery);
  const [isMaking, setMaking] = useState(false);
  return (
    <Page
      title="Playlists"
      description="Books in your own order, or matching rules"
      actions={
        <Button variant="primary" icon={<Plus className="size-4" aria-hidden />} onClick={() => setMaking(true)}>
          Create playlist
        </Button>
      }
    >
      <Card isFlush>
        <Loaded query={playlists}>
          {(found) =>
            found.length === 0 ? (
              <EmptyState icon={ListMusic} title="No playlists yet">
                <p>A playlist holds books in your own order, or finds them by rules. Create the first one above.</p>
              </EmptyState>
            ) : (
              <ul className="divide-y divide-line">
                {found.map((playlist) => (
                  <Line key={playlist.id} playlist={playlist} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      {isMaking && <NewPlaylist onClose={() => setMaking(false)} />}
    </Page>
  );
}

function Line({
  playlist: { id, name, kind, shared, query, updated_at: at },
}: {
  readonly playlist: Playlist;
}): ReactNode {
  const Icon = kind === 'smart' ? WandSparkles : ListMusic;
  return (
    <li>
      <Link
        to="/books/$view/$id"
        params={{ view: 'playlists', id }}
        className="flex items-center gap-4 px-5 py-3 -outline-offset-2 hover:bg-sunken"
      >
        <Icon className="size-5 shrink-0 text-accent" aria-hidden />
        <span className="grid min-w-0 flex-1">
          <span dir="auto" className="truncate font-medium">
            {name}
          </span>
          <span dir="auto" className="truncate text-[13px] text-muted">
            {query === null ? 'Manual order' : inWords(query)}
          </span>
        </span>
        {shared && <Tag>shared</Tag>}
        <span className="hidden text-[13px] text-muted sm:inline">
          <Time at={at} />
        </span>
      </Link>
    </li>
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
  const create = useAction({
    failed: 'Could not create the playlist',
    touches: ['audiobooks'],
    run: async () => {
      const query: SmartQuery = { all: [], sort: 'title', limit: null };
      const body = { name: name.trim(), ...(kind === 'smart' ? { query } : {}) };
      const made: Playlist = (await booksApi.POST('/playlists', { body, idempotencyKey: randomKey() })).data;
      await navigate({ to: '/books/$view/$id', params: { view: 'playlists', id: made.id } });
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
