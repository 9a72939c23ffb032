import { booksApi } from '../../api/audiobooks-client.ts';
import type { Progress } from '../../api/listening-types.ts';
import { queryClient, signedOut } from '../../api/query-client.ts';
import { batched } from '../../live/batched.ts';
import { createConnection } from '../../live/connection.ts';
import { refresher } from '../../live/refresher.ts';
import { tellPlayer } from '../../player/player.ts';

const COALESCE_MS = 250;

const refreshers = new Map<string, () => void>();

/** One reading at a time of each: a scan tells of thousands of books. */
function refresh(part: string): void {
  const known =
    refreshers.get(part) ?? refresher(() => queryClient.invalidateQueries({ queryKey: ['audiobooks', part] }));
  refreshers.set(part, known);
  known();
}

/** What is read again when something of a kind has happened. */
const touched: Readonly<Record<string, readonly string[]>> = {
  progress: ['progress', 'shelves', 'book', 'books'],
  operation: ['operations', 'operation'],
  book: ['book', 'books', 'groups', 'group', 'shelves', 'libraries', 'history'],
  library: ['libraries', 'book', 'books', 'groups', 'group', 'shelves'],
  rights: ['rights', 'libraries', 'book', 'books', 'groups', 'group', 'shelves'],
};

const arrive = batched<string>(COALESCE_MS, (kinds) => {
  for (const part of new Set(kinds.flatMap((kind) => touched[kind] ?? []))) refresh(part);
});

/** What happens to the books, whoever does it. */
export const bookStream = createConnection(booksApi.url('/events'), {
  onEvent({ event, data }) {
    if (event === 'reset') return everything();
    if (event === 'progress') tellPlayer(JSON.parse(data) as Progress);
    arrive(event);
  },
  onGap: everything,
  onSignedOut: () => signedOut.set(signedOut.get() + 1),
});

function everything(): void {
  void queryClient.invalidateQueries({ queryKey: ['audiobooks'] });
}
