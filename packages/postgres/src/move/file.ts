import { existsSync, linkSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

import { failpoint, syncFolderSync } from '@holdfast/base';
import { type Engine, engineOn } from '@holdfast/keyspace';
import {
  changeFence,
  type Database,
  fileIdentity,
  openDatabase,
  openExisting,
  putRawEntries,
  rawEntries,
  readFence,
  removeDatabaseFile,
  replaceFile,
  writeKey,
} from '@holdfast/sqlite';

import { moveErrors } from './errors.ts';
import type { MoveSource, MoveTarget } from './sides.ts';

export async function openFileSource(path: string): Promise<MoveSource> {
  const database = await openExisting(path);
  if (database.kind !== 'keyspace') {
    await database.close();
    throw moveErrors.MOVE_IMPOSSIBLE(`${path} holds tables, which only SQLite can store`);
  }
  return {
    place: database.path,
    engine: engineOn(database),
    fence: () => Promise.resolve(readFence(database.reader)),
    changeFence: (expected, next) => changeFence(database, expected, next),
    journal: (since, limit) => Promise.resolve(rawEntries(database.reader, since, limit)),
    count: () => Promise.resolve(database.get<{ n: number }>('SELECT count(*) AS n FROM keyspace')!.n),
    close: () => database.close(),
  };
}

/**
 * Fills a new file next to `path`, and renames it to `path` at the end. The name of the new file contains the move's
 * id, so that `open` finds the file after an interruption.
 */
export function fileTarget(path: string): MoveTarget {
  const unfinished = (move: string): string => `${path}.moving-${move}`;
  let database: Database | undefined;
  let engine: Engine | undefined;
  const current = (): Database => {
    if (database === undefined) throw new TypeError('The move has not begun');
    return database;
  };
  return {
    place: `${path} on ${hostname()}`,
    async begin(move) {
      await refuseData(path);
      database = await openDatabase({ path: unfinished(move), kind: 'keyspace' });
      engine = engineOn(database);
    },
    get engine() {
      if (engine === undefined) throw new TypeError('The move has not begun');
      return engine;
    },
    journal: (since, limit) => Promise.resolve(rawEntries(current().reader, since, limit)),
    async write(entries, journal) {
      await current().writeDerived(({ connection }) => {
        for (const [key, value] of entries) writeKey(connection, key, value);
        putRawEntries(connection, journal);
      });
    },
    async seal() {
      await current().close();
      syncFolderSync(dirname(path));
    },
    async open(move) {
      const file = unfinished(move);
      if (!existsSync(file)) return undefined;
      const isInPlace = existsSync(path) && fileIdentity(path) === fileIdentity(file);
      const kept = isInPlace ? undefined : await replaceFile(path, async (copy) => linkSync(file, copy));
      failpoint('move.replaced');
      removeDatabaseFile(file);
      return kept;
    },
    async discard() {
      if (database === undefined) return;
      await database.close();
      removeDatabaseFile(database.path);
    },
    close: async () => database?.close(),
  };
}

/** Allows replacing a file only if its data has moved away or it was never used. */
async function refuseData(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const old = await openExisting(path);
  try {
    if (old.revision() === 0 || readFence(old.reader)?.state === 'moved') return;
    throw moveErrors.MOVE_TARGET_IN_USE(`${path} already contains other data`);
  } finally {
    await old.close();
  }
}
