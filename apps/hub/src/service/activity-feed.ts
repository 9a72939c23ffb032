import type { EventFeed, StreamEvent } from '@holdfast/http';

import type { Databases, Store } from '../adapters/databases.ts';
import { type DatabaseName, databaseNames } from '../model/database-names.ts';
import { shownCommit } from './shown-change.ts';

/**
 * The commits of all databases as one stream. Databases have no common order, so a position contains one revision for
 * each database: `np.12-accounts.5`. If a position does not name a database, the stream contains all commits of that
 * database.
 */

type Places = ReadonlyMap<DatabaseName, number>;

const LOOK_FOR_NEW_MS = 5_000;
const PAGE = 200;

export function activityFeed(databases: Databases): EventFeed {
  return {
    head: () => currentPlaces(databases),
    accepts: (id) => parsePlaces(id) !== undefined,
    open: (since, signal) => merge(databases, parsePlaces(since) ?? new Map(), signal),
  };
}

async function currentPlaces(databases: Databases): Promise<string> {
  const places = new Map<DatabaseName, number>();
  for (const name of databases.names()) {
    const database = await databases.get(name).catch(() => undefined);
    if (database !== undefined) places.set(name, await database.revision());
  }
  return formatPlaces(places);
}

async function* merge(databases: Databases, since: Places, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const places = new Map(since);
  const unsubscribes = new Map<DatabaseName, () => void>();
  let wake = doNothing;
  let maybeMore = true;
  const nudge = (): void => {
    maybeMore = true;
    wake();
  };
  const timer = setInterval(nudge, LOOK_FOR_NEW_MS);
  signal.addEventListener('abort', nudge);
  try {
    while (!signal.aborted) {
      if (!maybeMore) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      maybeMore = false;
      for (const name of databases.names()) {
        const database = await databases.get(name).catch(() => undefined);
        if (database === undefined) continue;
        if (!unsubscribes.has(name)) {
          unsubscribes.set(name, database.onChange(nudge));
          await withinHistory(name, database, places);
        }
        yield* newCommits(name, database, places);
      }
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', nudge);
    for (const unsubscribe of unsubscribes.values()) unsubscribe();
  }
}

/**
 * Lowers the position to the newest revision: a position from another server may be higher, because that server has its
 * own file for this database.
 */
async function withinHistory(name: DatabaseName, database: Store, places: Map<DatabaseName, number>): Promise<void> {
  const newest = await database.revision();
  if ((places.get(name) ?? 0) > newest) places.set(name, newest);
}

async function* newCommits(
  name: DatabaseName,
  database: Store,
  places: Map<DatabaseName, number>,
): AsyncGenerator<StreamEvent> {
  // Skips commits that the journal has already trimmed.
  const oldest = Math.max(0, (await database.oldestRevision()) - 1);
  for (;;) {
    const since = Math.max(places.get(name) ?? 0, oldest);
    const entries = await database.changes(since, PAGE);
    for (const entry of entries) {
      places.set(name, entry.revision);
      yield { id: formatPlaces(places), event: 'commit', data: shownCommit(name, entry) };
    }
    if (entries.length < PAGE) return;
  }
}

function formatPlaces(places: Places): string {
  return [...places].map(([name, revision]) => `${name}.${revision}`).join('-') || 'none';
}

function parsePlaces(id: string): Places | undefined {
  if (id === 'none') return new Map();
  const places = new Map<DatabaseName, number>();
  for (const part of id.split('-')) {
    const [name, revision] = part.split('.');
    const known = databaseNames.find((candidate) => candidate === name);
    if (known === undefined || revision === undefined || !/^\d{1,15}$/.test(revision)) return undefined;
    places.set(known, Number(revision));
  }
  return places;
}

function doNothing(): void {}
