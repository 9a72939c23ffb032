import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { activityQuery, databasesQuery } from '../../api/queries.ts';
import type { Commit } from '../../api/types.ts';
import { useStore } from '../../lib/store.ts';
import { liveCommits } from '../../live/activity-stream.ts';

const PAGE = 100;
/** How many commits the page reads per database. */
const MOST = 6_400;

interface Found {
  readonly commits: readonly Commit[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly loadOlder: () => void;
}

/** Commits of all databases, newest first: those read once and those that arrived since, each shown once. */
export function useCommits(database: string, text: string): Found {
  const [atMost, setAtMost] = useState(PAGE);
  const { data: databases = [], error, isPending } = useQuery(databasesQuery);
  const chosen = databases.filter(({ name, problem }) => problem === null && (database === '' || name === database));
  const read = useQueries({ queries: chosen.map(({ name }) => activityQuery(name, atMost)), combine: joined });
  const live = useStore(liveCommits);
  const commits = useMemo(() => {
    const arrived = live.filter((commit) => database === '' || commit.database === database);
    const unique = new Map([...arrived, ...read.commits].map((commit) => [commitId(commit), commit]));
    const wanted = text.toLowerCase();
    return [...unique.values()].filter((commit) => matches(commit, wanted)).sort(newestFirst);
  }, [live, database, text, read.commits]);
  return {
    commits,
    isLoading: read.isLoading || isPending,
    error: error ?? read.error,
    loadOlder: () => {
      if (read.longest >= atMost && atMost < MOST) setAtMost(atMost * 2);
    },
  };
}

export function commitId({ database, revision }: Commit): string {
  return `${database}.${revision}`;
}

interface Joined {
  readonly commits: readonly Commit[];
  readonly longest: number;
  readonly isLoading: boolean;
  readonly error: Error | null;
}

function joined(read: readonly UseQueryResult<readonly Commit[]>[]): Joined {
  return {
    commits: read.flatMap(({ data }) => data ?? []),
    longest: Math.max(0, ...read.map(({ data }) => data?.length ?? 0)),
    isLoading: read.some(({ isLoading }) => isLoading),
    error: read.find((query) => query.error !== null)?.error ?? null,
  };
}

function matches({ note, changes }: Commit, wanted: string): boolean {
  if (wanted === '') return true;
  const texts = [note, ...changes.flatMap(({ key, before, after }) => [key, before, after])];
  return texts.some((text) => text?.toLowerCase().includes(wanted) ?? false);
}

/** Within a database the revision decides, because clocks may be set back. */
function newestFirst(left: Commit, right: Commit): number {
  if (left.database === right.database) return right.revision - left.revision;
  return Date.parse(right.at) - Date.parse(left.at);
}
