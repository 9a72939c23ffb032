import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from './driver.ts';
import { storeErrors, toStoreError } from './errors.ts';
import type { ColumnChanges } from './journal/row-images.ts';
import type { Row, SqlValue } from './values.ts';

export type { Row, SqlValue } from './values.ts';

export interface ChangeRecorder {
  /** Runs `change`. Throws if the number of rows it changes differs from the description. */
  describe(changes: ColumnChanges, change: () => void): void;
}

export interface ConnectionSettings {
  /** FULL: a commit is on disk before it is acknowledged. OFF is for benchmarks only. */
  readonly synchronous: 'FULL' | 'OFF';
  /** How long SQLite itself waits for a lock, for example during crash recovery by another process. */
  readonly busyTimeoutMs: number;
  readonly cacheKib: number;
  /** True (the default) enforces foreign keys, and turns on SQLite's defensive mode, which protects shadow tables. */
  readonly guarded?: boolean;
}

export const defaultSettings: ConnectionSettings = { synchronous: 'FULL', busyTimeoutMs: 5_000, cacheKib: 10_000 };

/** One SQLite connection with its prepared statements. All calls are synchronous. */
export class Connection {
  readonly path: string;
  /** Records the running transaction's changes; undefined if they are not journaled. */
  recorder: ChangeRecorder | undefined;
  readonly #driver: DatabaseSyncInstance;
  readonly #statements = new Map<string, StatementSyncInstance>();
  readonly #arrayStatements = new Map<string, StatementSyncInstance>();
  readonly #exactStatements = new Map<string, StatementSyncInstance>();

  constructor(path: string, settings: ConnectionSettings = defaultSettings) {
    this.path = path;
    const { guarded = true } = settings;
    let driver: DatabaseSyncInstance | undefined;
    try {
      driver = new DatabaseSync(path, {
        timeout: settings.busyTimeoutMs,
        enableForeignKeyConstraints: guarded,
        enableDoubleQuotedStringLiterals: false,
        defensive: guarded,
      });
      this.#driver = driver;
      this.#configure(settings);
    } catch (error) {
      if (driver?.isOpen === true) driver.close();
      throw toStoreError(error, path);
    }
  }

  #configure(settings: ConnectionSettings): void {
    // `exec`, because a prepared statement would keep the file open after a failure.
    this.#driver.exec('PRAGMA journal_mode = WAL');
    const mode = this.#driver.prepare('PRAGMA journal_mode').get() as { journal_mode: string };
    if (mode.journal_mode !== 'wal') {
      throw storeErrors.NETWORK_FILE_SYSTEM(`${this.path}: this file system does not support SQLite's WAL mode`);
    }
    this.#driver.exec(`
      PRAGMA synchronous = ${settings.synchronous};
      PRAGMA cache_size = -${settings.cacheKib};
      PRAGMA trusted_schema = OFF;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA wal_autocheckpoint = 4000;
    `);
  }

  /** The driver's own handle, for sessions and the online backup. */
  get driver(): DatabaseSyncInstance {
    return this.#driver;
  }

  get isOpen(): boolean {
    return this.#driver.isOpen;
  }

  get inTransaction(): boolean {
    return this.#driver.isTransaction;
  }

  /** Returns a prepared statement that lives as long as the connection: pass only fixed SQL. */
  prepare(sql: string): StatementSyncInstance {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#driver.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Like `prepare`, but returns rows as arrays. Scans of wide rows are about a quarter faster than with objects. */
  prepareArrays(sql: string): StatementSyncInstance {
    let statement = this.#arrayStatements.get(sql);
    if (statement === undefined) {
      statement = this.#driver.prepare(sql);
      statement.setReturnArrays(true);
      this.#arrayStatements.set(sql, statement);
    }
    return statement;
  }

  exec(sql: string): void {
    this.#translated(() => this.#driver.exec(sql));
  }

  get<T = Row>(sql: string, ...parameters: SqlValue[]): T | undefined {
    this.#refuseNul(parameters);
    return this.#translated(() => this.prepare(sql).get(...parameters) as T | undefined);
  }

  all<T = Row>(sql: string, ...parameters: SqlValue[]): T[] {
    this.#refuseNul(parameters);
    return this.#translated(() => this.prepare(sql).all(...parameters) as T[]);
  }

  run(sql: string, ...parameters: SqlValue[]): { changes: number; lastInsertRowid: number } {
    this.#refuseNul(parameters);
    const result = this.#translated(() => this.prepare(sql).run(...parameters));
    return { changes: result.changes, lastInsertRowid: Number(result.lastInsertRowid) };
  }

  allArrays<T extends readonly SqlValue[]>(sql: string, ...parameters: SqlValue[]): T[] {
    this.#refuseNul(parameters);
    return this.#translated(() => this.prepareArrays(sql).all(...parameters) as unknown as T[]);
  }

  /**
   * Like `allArrays`, but returns integers as bigints, because the driver refuses to read an integer above 2^53 as a
   * number.
   */
  allExact(sql: string, ...parameters: SqlValue[]): SqlValue[][] {
    return this.#translated(() => {
      let statement = this.#exactStatements.get(sql);
      if (statement === undefined) {
        statement = this.#driver.prepare(sql);
        statement.setReturnArrays(true);
        statement.setReadBigInts(true);
        this.#exactStatements.set(sql, statement);
      }
      return statement.all(...parameters);
    });
  }

  /**
   * Runs a change to many rows that the caller describes. If the transaction is recorded, the description goes into the
   * journal, which is much cheaper than recording every row.
   */
  changeDescribed(describe: () => ColumnChanges, change: () => void): void {
    if (this.recorder === undefined) change();
    else this.recorder.describe(describe(), change);
  }

  /** The driver may keep the file open until `closedFilesReleased` resolves. */
  close(): void {
    this.#statements.clear();
    this.#arrayStatements.clear();
    this.#exactStatements.clear();
    if (this.#driver.isOpen) this.#driver.close();
  }

  /** The driver would silently truncate text at NUL. */
  #refuseNul(parameters: readonly SqlValue[]): void {
    if (!parameters.some((value) => typeof value === 'string' && value.includes('\0'))) return;
    throw storeErrors.STORE_TEXT('Text with a NUL character can be neither stored nor searched for');
  }

  #translated<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      throw toStoreError(error, this.path);
    }
  }
}
