import { statSync } from 'node:fs';

import { type Engine, engineOn } from '@holdfast/keyspace';
import type { PostgresEngine } from '@holdfast/postgres';
import {
  backupDatabase,
  type BackupProgress,
  backupToFolder,
  type Database,
  findJournalProblems,
  findLongReaders,
  type JournalEntry,
  type LongReaders,
  openExisting,
  repairFromJournal,
  restoreToRevision,
  revisionAt,
  type StoredBackup,
  storeErrors,
} from '@holdfast/sqlite';

type Maybe<T> = T | Promise<T>;

/** One commit of a store. For a keyspace, `rows` is empty; for tables, `keys` is empty. */
export type StoreCommit = Pick<JournalEntry, 'revision' | 'at' | 'kind' | 'note' | 'isDamaged' | 'keys' | 'rows'>;

export interface StoreProblem {
  readonly kind: string;
  readonly key: string;
  readonly detail: string;
  readonly repaired: boolean;
}

/** Everything that the server and the `holdfast` commands need from a database, in a file or on a server. */
export interface Store {
  readonly kind: 'keyspace' | 'tables';
  /** Path of the file, or address without the password. */
  readonly place: string;
  /** Undefined if the database holds tables. */
  readonly engine: Engine | undefined;
  /** Undefined if the database is not a file. */
  readonly file: Database | undefined;
  revision(): Maybe<number>;
  oldestRevision(): Maybe<number>;
  revisionAt(at: number): Maybe<number | undefined>;
  changes(since: number, limit: number): Maybe<readonly StoreCommit[]>;
  onChange(listener: () => void): () => void;
  restoreTo(revision: number): Promise<{ readonly changed: number; readonly revision: number }>;
  /** Finds damage in the file and in the journal. If `repairs` is true, repairs what the journal can restore. */
  problems(repairs: boolean): Promise<readonly StoreProblem[]>;
  sizes(): Maybe<{ readonly bytes: number; readonly logBytes: number }>;
  longReaders(): LongReaders | undefined;
  backup(target: BackupTarget): Promise<StoredBackup & { readonly deleted: readonly string[] }>;
  close(options?: { readonly processIsEnding?: boolean }): Promise<void>;
}

/** A new file, or the folder in which backups are kept. */
type BackupTarget = ({ readonly path: string } | { readonly folder: string }) & {
  readonly onProgress?: (progress: BackupProgress) => void;
};

export async function openFileStore(path: string): Promise<Store> {
  const database = await openExisting(path);
  return {
    kind: database.kind,
    place: database.path,
    engine: database.kind === 'keyspace' ? engineOn(database) : undefined,
    file: database,
    revision: () => database.revision(),
    oldestRevision: () => database.oldestRevision(),
    revisionAt: (at) => revisionAt(database.reader, at),
    changes: (since, limit) => database.changes(since, limit),
    onChange: (listener) => database.onChange(listener),
    async restoreTo(revision) {
      const restored = await restoreToRevision(database, revision);
      return { changed: restored.value, revision: restored.revision };
    },
    async problems(repairs) {
      const file = database
        .integrityProblems()
        .map((detail) => ({ kind: 'damaged_file', key: '', detail, repaired: false }));
      return [...file, ...(repairs ? await repairFromJournal(database) : findJournalProblems(database))];
    },
    sizes: () => ({ bytes: sizeOf(database.path), logBytes: sizeOf(`${database.path}-wal`) }),
    longReaders: () => findLongReaders(database.path),
    async backup({ onProgress, ...target }) {
      const options = onProgress === undefined ? {} : { onProgress };
      if ('folder' in target) return backupToFolder(database, target.folder, options);
      return { path: target.path, ...(await backupDatabase(database, target.path, options)), deleted: [] };
    },
    close: (options) => database.close(options),
  };
}

export async function openPostgresStore(address: string, space: string): Promise<Store> {
  const { postgresEngine, restoreKeys } = await import('@holdfast/postgres');
  const engine: PostgresEngine = await postgresEngine({ address, space });
  return {
    kind: 'keyspace',
    place: engine.place,
    engine,
    file: undefined,
    revision: () => engine.revision(),
    oldestRevision: () => engine.oldestRevision(),
    revisionAt: (at) => engine.revisionAt(at),
    changes: async (since, limit) =>
      (await engine.changes(since, limit)).map(({ revision, at, note, changes, reset }) => ({
        revision,
        at,
        note,
        kind: reset ? 'damaged' : 'keys',
        isDamaged: reset,
        keys: changes,
        rows: [],
      })),
    onChange: (listener) => engine.onChange(listener),
    restoreTo: (revision) => restoreKeys(engine, revision),
    // PostgreSQL checks its own files; pages with checksums are verified when they are read.
    problems: () => Promise.resolve([]),
    sizes: async () => ({ bytes: await engine.bytes(), logBytes: 0 }),
    longReaders: () => undefined,
    backup: () => Promise.reject(storeErrors.STORE_NOT_A_FILE(`${engine.place} is not a file`)),
    close: () => engine.close(),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
