import { systemApi } from '../api/clients.ts';
import { queryClient, signedOut } from '../api/query-client.ts';
import type { Commit } from '../api/types.ts';
import { createStore } from '../lib/store.ts';
import { batched } from './batched.ts';
import { createConnection } from './connection.ts';
import { refresher } from './refresher.ts';

/** A busy database must not make the page ask more often than this. */
const COALESCE_MS = 200;
const KEPT = 2_000;

/** Commits that arrived while this page is open, newest first. */
export const liveCommits = createStore<readonly Commit[]>([]);

const arrive = batched<Commit>(COALESCE_MS, (commits) => {
  liveCommits.set([...commits.toReversed(), ...liveCommits.get()].slice(0, KEPT));
  const touched = new Set(commits.map(({ database }) => database));
  for (const name of touched) refresh('database', name);
  if (touched.has('accounts')) refresh('accounts');
  refresh('databases');
});

const refreshers = new Map<string, () => void>();

/** One reading at a time of each: what is slow to read must not be asked for again before it has come. */
function refresh(...queryKey: readonly string[]): void {
  const name = queryKey.join(' ');
  const known = refreshers.get(name) ?? refresher(() => queryClient.invalidateQueries({ queryKey }));
  refreshers.set(name, known);
  known();
}

export const connection = createConnection(systemApi.url('/activity'), {
  onEvent({ event, data }) {
    if (event === 'commit') arrive(JSON.parse(data) as Commit);
  },
  // After an interruption everything may have changed, and more than the stream still knows.
  onGap: () => void queryClient.invalidateQueries(),
  onSignedOut: () => signedOut.set(signedOut.get() + 1),
});
