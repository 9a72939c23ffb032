import { systemApi } from '../api/clients.ts';
import { queryClient, signedOut } from '../api/query-client.ts';
import type { Commit } from '../api/types.ts';
import { createStore } from '../lib/store.ts';
import { batched } from './batched.ts';
import { createConnection } from './connection.ts';

/** A busy database must not make the page ask more often than this. */
const COALESCE_MS = 200;
const KEPT = 2_000;

/** Commits that arrived while this page is open, newest first. */
export const liveCommits = createStore<readonly Commit[]>([]);

const arrive = batched<Commit>(COALESCE_MS, (commits) => {
  liveCommits.set([...commits.toReversed(), ...liveCommits.get()].slice(0, KEPT));
  const touched = new Set(commits.map(({ database }) => database));
  for (const name of touched) void queryClient.invalidateQueries({ queryKey: ['database', name] });
  if (touched.has('accounts')) void queryClient.invalidateQueries({ queryKey: ['accounts'] });
  void queryClient.invalidateQueries({ queryKey: ['databases'] });
});

export const connection = createConnection(systemApi.url('/activity'), {
  onEvent({ event, data }) {
    if (event === 'commit') arrive(JSON.parse(data) as Commit);
  },
  // After an interruption everything may have changed, and more than the stream still knows.
  onGap: () => void queryClient.invalidateQueries(),
  onSignedOut: () => signedOut.set(signedOut.get() + 1),
});
