import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { delay, KIBIBYTE, systemClock } from '@holdfast/base';

import { ChangeSignal, defaultSignal, type SignalSettings } from './watch-commits.ts';
import { Connection, type ConnectionSettings, defaultSettings, type Row, type SqlValue } from './connection.ts';
import { closedFilesReleased } from './driver.ts';
import { isBusy, storeErrors, toStoreError } from './errors.ts';
import { type Committed, GroupCommit, type Recording, type WriteTransaction } from './group-commit.ts';
import {
  currentRevision,
  defaultRetention,
  type JournalEntry,
  oldestRevision,
  readEntries,
  type Retention,
} from './journal/journal.ts';
import { createLayout, type DatabaseKind, detectKind, hasLayout } from './layout.ts';
import { applyNext, checkPlan, type MigrationPlan, pendingMigrations, refuseNewer } from './migrations.ts';
import { type FileSystemType, fileIdentity, prepareLocation } from './store-location.ts';
import { Misdescribed } from './recorder.ts';
import { type Snapshot, SnapshotPool } from './snapshot-pool.ts';
import { defaultLock, type LockSettings, WriteLock } from './write-lock.ts';

export interface DatabaseOptions {
  readonly path: string;
  readonly kind: DatabaseKind;
  /** True (the default) creates a missing file; false makes it an error. */
  readonly create?: boolean;
  readonly migrations?: MigrationPlan;
  readonly retention?: Retention;
  readonly lock?: Partial<LockSettings>;
  readonly signal?: Partial<SignalSettings>;
  /** OFF is for benchmarks only: acknowledged commits may be lost. */
  readonly synchronous?: 'FULL' | 'OFF';
  readonly now?: () => number;
  readonly fileSystemType?: FileSystemType;
}

export interface CloseOptions {
  /** True if the process is about to exit: the operating system then closes the files, which saves milliseconds. */
  readonly processIsEnding?: boolean;
}

const OPEN_TRIES = 50;
const OPEN_PAUSE_MS = 20;
const WAL_LEFT_MAX = 256 * KIBIBYTE;

/** Opens a database for any number of processes and migrates its schema. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const path = resolve(options.path);
  prepareLocation(path, options.create ?? true, options.fileSystemType);
  for (let attempt = 1; ; attempt++) {
    const file = fileIdentity(path);
    try {
      const database = await openOnce(path, options);
      // A restore may have replaced the file while this process waited for the old one.
      if (fileIdentity(path) === file) return database;
      await database.close();
    } catch (error) {
      // Opening can fail while another process closes its last connection, which locks the whole file. It can also fail
      // during a restore, because SQLite then refuses to write to the old file.
      const isCollision = isBusy(error) || isBusy((error as Error).cause) || fileIdentity(path) !== file;
      if (!isCollision || attempt >= OPEN_TRIES) throw toStoreError(error, path);
      await delay(Math.random() * OPEN_PAUSE_MS);
    }
  }
}

/** Opens an existing Holdfast database of either kind without creating or changing a schema. */
export async function openExisting(
  path: string,
  options: Omit<DatabaseOptions, 'path' | 'kind'> = {},
): Promise<Database> {
  const resolved = resolve(path);
  prepareLocation(resolved, false, options.fileSystemType);
  const kind = detectKind(resolved);
  if (kind === undefined) throw storeErrors.NOT_A_HOLDFAST_DATABASE(`${resolved} is not a Holdfast database`);
  return openDatabase({ ...options, path: resolved, kind, create: false });
}

async function openOnce(path: string, options: DatabaseOptions): Promise<Database> {
  const database = new Database(path, options);
  try {
    await database.prepareSchema();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export class Database {
  readonly path: string;
  readonly kind: DatabaseKind;
  readonly #options: DatabaseOptions;
  readonly #settings: ConnectionSettings;
  readonly #connection: Connection;
  readonly #lock: WriteLock;
  readonly #group: GroupCommit;
  readonly #snapshots: SnapshotPool;
  readonly #signal: ChangeSignal;
  readonly #now: () => number;

  /** Internal: callers use `openDatabase`. */
  constructor(path: string, options: DatabaseOptions) {
    const settings = { ...defaultSettings, synchronous: options.synchronous ?? defaultSettings.synchronous };
    this.path = path;
    this.kind = options.kind;
    this.#options = options;
    this.#now = options.now ?? systemClock;
    this.#settings = settings;
    this.#connection = new Connection(path, settings);
    this.#lock = this.#lockOf(this.#connection);
    this.#signal = new ChangeSignal(this.#connection, { ...defaultSignal, ...options.signal });
    this.#snapshots = new SnapshotPool(path, settings, () => this.revision());
    this.#group = this.#groupOf(this.#connection, this.#lock);
  }

  /** Called by `openDatabase`. Idempotent. */
  async prepareSchema(): Promise<void> {
    const { migrations, kind } = this.#options;
    if (migrations !== undefined) checkPlan(migrations);
    if (!hasLayout(this.#connection, kind)) await this.#locked(() => createLayout(this.#connection, kind));
    if (migrations === undefined) return;
    refuseNewer(this.#connection, migrations);
    if (pendingMigrations(this.#connection, migrations).length === 0) return;
    // One transaction per migration, so that an interruption does not undo finished migrations.
    while (await this.#locked(() => applyNext(this.#connection, migrations, this.#now)));
  }

  /**
   * Runs a synchronous body under the write lock, in a commit that other callers may share. Resolves when the commit is
   * on disk. If the body throws, nothing changes and the promise rejects with that error.
   */
  write<T>(body: (transaction: WriteTransaction) => T): Promise<Committed<T>> {
    return this.#submit(body, 'recorder');
  }

  /**
   * Like `write`, but does not record the changes, because recording would take longer than a short body. Instead, the
   * body reports every changed row with `transaction.rows`. If the number of changed rows differs from the report, for
   * example because of a trigger, the changes are rolled back and the body runs again with recording.
   */
  writeDescribed<T>(body: (transaction: WriteTransaction) => T): Promise<Committed<T>> {
    return this.#submit(body, this.kind === 'tables' ? 'described' : 'recorder');
  }

  async #submit<T>(body: (transaction: WriteTransaction) => T, recording: Recording): Promise<Committed<T>> {
    if (!this.#connection.isOpen) throw storeErrors.STORE_CLOSED(`${this.path} is closed`);
    try {
      return await this.#group.submit(body, recording);
    } catch (error) {
      if (!(error instanceof Misdescribed)) throw error;
      return this.#group.submit(body, 'session');
    }
  }

  /**
   * Like `write`, but for data that can be rebuilt, such as an index. The data is not journaled, so a restore does not
   * change it. If submitted together with a `write`, it runs after that write in the same commit.
   */
  writeDerived<T>(body: (transaction: WriteTransaction) => T): Promise<Committed<T>> {
    if (!this.#connection.isOpen) return Promise.reject(storeErrors.STORE_CLOSED(`${this.path} is closed`));
    return this.#group.submit(body, 'nothing');
  }

  /**
   * Like `write`, but in its own commit, on a connection that does not enforce foreign keys. For a restore whose
   * intermediate states violate them.
   */
  async writeUnguarded<T>(body: (transaction: WriteTransaction) => T): Promise<Committed<T>> {
    if (!this.#connection.isOpen) throw storeErrors.STORE_CLOSED(`${this.path} is closed`);
    const connection = new Connection(this.path, { ...this.#settings, guarded: false });
    try {
      return await this.#groupOf(connection, this.#lockOf(connection)).submit(body);
    } finally {
      connection.close();
    }
  }

  /**
   * Resolves when this process is among the first processes waiting to write. Call the returned function to give up
   * this place.
   */
  turn(arrivedAt: number): Promise<() => void> {
    return this.#lock.turn(arrivedAt);
  }

  /** Connection for reads of the latest committed state. */
  get reader(): Connection {
    if (!this.#connection.isOpen) throw storeErrors.STORE_CLOSED(`${this.path} is closed`);
    return this.#connection;
  }

  get<T = Row>(sql: string, ...parameters: SqlValue[]): T | undefined {
    return this.reader.get<T>(sql, ...parameters);
  }

  all<T = Row>(sql: string, ...parameters: SqlValue[]): T[] {
    return this.reader.all<T>(sql, ...parameters);
  }

  /** Returns a consistent view of the current state, valid until released. */
  snapshot(): Snapshot {
    if (!this.#connection.isOpen) throw storeErrors.STORE_CLOSED(`${this.path} is closed`);
    return this.#snapshots.acquire();
  }

  revision(): number {
    return currentRevision(this.reader);
  }

  oldestRevision(): number {
    return oldestRevision(this.reader);
  }

  changes(since: number, limit = 1_000): JournalEntry[] {
    return readEntries(this.reader, since, limit);
  }

  /** Calls `listener` soon (usually milliseconds) after any process commits; returns an unsubscribe function. */
  onChange(listener: () => void): () => void {
    if (!this.#connection.isOpen) throw storeErrors.STORE_CLOSED(`${this.path} is closed`);
    return this.#signal.subscribe(listener);
  }

  /** Runs SQLite's integrity check; returns up to 100 problems. */
  integrityProblems(): string[] {
    const rows = this.reader.all<{ integrity_check: string }>('PRAGMA integrity_check(100)');
    return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  }

  /** Waits for submitted writes to finish, then closes every connection and releases the file. */
  async close({ processIsEnding = false }: CloseOptions = {}): Promise<void> {
    await this.#group.settled();
    this.#signal.close();
    this.#snapshots.close();
    if (!this.#connection.isOpen) return;
    if (processIsEnding) emptyLongWal(this.#connection);
    this.#connection.close();
    if (!processIsEnding) await closedFilesReleased(this.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #lockOf(connection: Connection): WriteLock {
    return new WriteLock(connection, { ...defaultLock, ...this.#options.lock }, this.#settings.busyTimeoutMs);
  }

  #groupOf(connection: Connection, lock: WriteLock): GroupCommit {
    return new GroupCommit({
      connection,
      lock,
      recordsChangesets: this.kind === 'tables',
      retention: this.#options.retention ?? defaultRetention,
      now: this.#now,
      onCommit: () => this.#signal.committedHere(),
    });
  }

  async #locked<T>(body: () => T): Promise<T> {
    await this.#lock.acquire();
    try {
      const value = body();
      this.#connection.exec('COMMIT');
      return value;
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
      throw error;
    }
  }
}

/**
 * Checkpoints a long `-wal` before this process closes the database, because the next process would have to read all of
 * it. Gives up immediately if another process uses the database, because that process checkpoints too.
 */
function emptyLongWal(connection: Connection): void {
  const size = statSync(`${connection.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size < WAL_LEFT_MAX) return;
  try {
    connection.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // If the checkpoint fails, the next process only needs more time to open the database.
  }
}

/** Returns the columns of a table in journal order; empty if the table no longer exists. */
export function columnNames(database: Database, table: string): readonly string[] {
  return database.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name);
}
