import { booksApi } from '../../api/clients.ts';
import type { Progress } from '../../api/types.ts';
import { queryClient } from '../../api/query-client.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refreshQueries } from '../../live/refresh-queries.ts';
import { tellPlayer } from '../../player/player.ts';

const COALESCE_MS = 250;

/** Queries that each kind of event makes stale. */
const staleQueries: Readonly<Record<string, readonly string[]>> = {
  progress: ['progress', 'shelves', 'book', 'books'],
  operation: ['operations', 'operation'],
  book: ['book', 'books', 'groups', 'group', 'shelves', 'libraries', 'history'],
  library: ['libraries', 'book', 'books', 'groups', 'group', 'shelves'],
  rights: ['rights', 'libraries', 'book', 'books', 'groups', 'group', 'shelves'],
};

const arrive = batched<string>(COALESCE_MS, (kinds) => {
  for (const part of new Set(kinds.flatMap((kind) => staleQueries[kind] ?? []))) refreshQueries('audiobooks', part);
});

function readAnew(): void {
  void queryClient.invalidateQueries({ queryKey: ['audiobooks'] });
}

export const bookStream = createConnection(booksApi.url('/events'), {
  onEvent({ event, data }) {
    if (event === 'reset') return readAnew();
    if (event === 'progress') tellPlayer(JSON.parse(data) as Progress);
    arrive(event);
  },
  onGap: readAnew,
});
