import { systemApi } from '../api/clients.ts';
import { isPaused, queryClient, signedOut } from '../api/query-client.ts';
import type { Commit, DatabaseName } from '../api/types.ts';
import { createStore } from '../lib/store.ts';
import { createConnection } from './connection.ts';

/** A busy database must not make the page ask more often than this. */
const COALESCE_MS = 200;
const KEPT = 2_000;

/** Commits that arrived while this page is open, newest first. */
export const liveCommits = createStore<readonly Commit[]>([]);

const touched = new Set<DatabaseName>();
let arrived: Commit[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function flush(): void {
  timer = undefined;
  liveCommits.set([...arrived.reverse(), ...liveCommits.get()].slice(0, KEPT));
  arrived = [];
  for (const name of touched) void queryClient.invalidateQueries({ queryKey: ['database', name] });
  if (touched.has('accounts')) void queryClient.invalidateQueries({ queryKey: ['accounts'] });
  void queryClient.invalidateQueries({ queryKey: ['databases'] });
  touched.clear();
}

export const connection = createConnection(systemApi.url('/activity'), {
  onEvent({ event, data }) {
    if (event !== 'commit') return;
    const commit = JSON.parse(data) as Commit;
    arrived.push(commit);
    touched.add(commit.database);
    timer ??= setTimeout(flush, COALESCE_MS);
  },
  // After an interruption everything may have changed, and more than the stream still knows.
  onGap: () => void queryClient.invalidateQueries(),
  onSignedOut: () => signedOut.set(signedOut.get() + 1),
});

connection.state.subscribe(() => isPaused.set(connection.state.get() === 'paused'));
