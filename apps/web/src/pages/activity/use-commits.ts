import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { activityQuery, databasesQuery } from '../../api/queries.ts';
import type { Commit } from '../../api/types.ts';
import { useStore } from '../../lib/store.ts';
import { liveCommits } from '../../live/live.ts';

const PAGE = 100;
const MOST = 5_000;

interface Found {
  readonly commits: readonly Commit[];
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly loadOlder: () => void;
}

/**
 * Commits of all databases, newest first: what was read once, and what arrived since. A commit that came both ways is
 * shown once.
 */
export function useCommits(database: string, text: string): Found {
  const [atMost, setAtMost] = useState(PAGE);
  const { data: databases = [], error } = useQuery(databasesQuery);
  const chosen = databases.filter(({ name, problem }) => problem === null && (database === '' || name === database));
  const read = useQueries({ queries: chosen.map(({ name }) => activityQuery(name, atMost)) });
  const live = useStore(liveCommits);
  const pages = read.map(({ data }) => data);
  const hasMore = pages.some((page) => page !== undefined && page.length >= atMost);
  const commits = useMemo(() => {
    const arrived = live.filter((commit) => database === '' || commit.database === database);
    const all = [...arrived, ...pages.flatMap((page) => page ?? [])];
    const unique = new Map(all.map((commit) => [`${commit.database}.${commit.revision}`, commit]));
    const wanted = text.toLowerCase();
    return [...unique.values()].filter((commit) => matches(commit, wanted)).sort(newestFirst);
    // oxlint-disable-next-line react/exhaustive-deps -- the pages, not the list that they come in
  }, [live, database, text, ...pages]);
  return {
    commits,
    isLoading: read.some(({ isLoading }) => isLoading) || (databases.length === 0 && error === null),
    error: error ?? read.find((query) => query.error !== null)?.error ?? null,
    loadOlder: () => {
      if (hasMore && atMost < MOST) setAtMost(atMost + PAGE);
    },
  };
}

function matches({ note, changes }: Commit, wanted: string): boolean {
  if (wanted === '') return true;
  const texts = [note, ...changes.flatMap(({ key, before, after }) => [key, before, after])];
  return texts.some((text) => text?.toLowerCase().includes(wanted) ?? false);
}

/** Within a database the revision decides; a clock may have been set back. */
function newestFirst(left: Commit, right: Commit): number {
  if (left.database === right.database) return right.revision - left.revision;
  return Date.parse(right.at) - Date.parse(left.at);
}
