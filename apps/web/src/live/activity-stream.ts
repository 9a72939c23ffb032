import { systemApi } from '../api/clients.ts';
import { queryClient } from '../api/query-client.ts';
import type { Commit } from '../api/types.ts';
import { createStore } from '../lib/store.ts';
import { batched } from './batched.ts';
import { createConnection } from './connection.ts';
import { refreshQueries } from './refresh-queries.ts';

const COALESCE_MS = 200;
const KEPT = 2_000;

export const liveCommits = createStore<readonly Commit[]>([]);

const arrive = batched<Commit>(COALESCE_MS, (commits) => {
  liveCommits.set([...commits.toReversed(), ...liveCommits.get()].slice(0, KEPT));
  const touched = new Set(commits.map(({ database }) => database));
  for (const name of touched) refreshQueries('database', name);
  if (touched.has('accounts')) refreshQueries('accounts');
  refreshQueries('databases');
});

export const activityStream = createConnection(systemApi.url('/activity'), {
  onEvent({ event, data }) {
    if (event === 'commit') arrive(JSON.parse(data) as Commit);
  },
  onGap: () => void queryClient.invalidateQueries(),
});
