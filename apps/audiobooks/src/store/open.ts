import { existsSync } from 'node:fs';
import {
  type Engine,
  engineOn,
  type Keyspace,
  type KeyspaceMigration,
  type KeyspaceMigrations,
  openKeyspace,
  type Transaction,
  ulidSource,
} from '@holdfast/keyspace';
import { backupDatabase, type Database, openDatabase } from '@holdfast/sqlite';
import type { Book } from '../model/book.ts';
import { toTime } from '../model/stored.ts';
import { workFor } from './books.ts';
import { bookListenSeconds, bookPlays, books, schema, workListenSeconds, workPlays } from './definitions.ts';
import { withEncryption } from './encryption.ts';

export type Store = Keyspace;

export interface StoreOptions {
  readonly path: string;
  /** Address of the PostgreSQL server that holds the records instead of the file at `path`. */
  readonly address?: string | undefined;
  readonly create?: boolean;
  /** Separates the libraries of several tenants in one database. */
  readonly tenant?: string;
  /** Reads the key file; called only if the database has encrypted fields. */
  readonly secret?: () => Uint8Array | undefined;
}

export async function openStore({
  path,
  address,
  create = true,
  tenant,
  secret = () => undefined,
}: StoreOptions): Promise<Store> {
  const stored = address === undefined ? await openFile(path, create) : await openAt(address);
  try {
    const engine = await withEncryption(stored, secret);
    return await openKeyspace({ engine, schema, migrations, ...(tenant === undefined ? {} : { tenant }) });
  } catch (error) {
    await stored.close();
    throw error;
  }
}

async function openFile(path: string, create: boolean): Promise<Engine> {
  const database = await openDatabase({ path, create, kind: 'keyspace' });
  try {
    await backUpBeforeMigrating(database);
    return engineOn(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openAt(address: string): Promise<Engine> {
  const { postgresEngine } = await import('@holdfast/postgres');
  return postgresEngine({ address, space: 'audiobooks' });
}

/** Backs up the database before a migration, unless an interrupted migration has already done so. */
async function backUpBeforeMigrating(database: Database): Promise<void> {
  const version = database.get<{ value: unknown }>(`SELECT value FROM keyspace WHERE key = 'meta:version'`)?.value;
  if (version === undefined || Number(version) >= migrations.steps.length) return;
  const target = `${database.path}.before-version-${migrations.steps.length}`;
  if (!existsSync(target)) await backupDatabase(database, target);
}

const PAGE = 200;
const newId = ulidSource();

/**
 * Migrates to version 1.1.0 of the audiobooks design document: gives every book a work, and sets the counters of each
 * work to the sums of its books' counters.
 */
const introduceWorks: KeyspaceMigration = {
  version: 2,
  description: 'every book belongs to a work, found by title and author',
  async step(tx, cursor) {
    const page = await tx.page(books, {}, { limit: PAGE, cursor });
    for (const book of page.items) if (book.work_id === null) await assignWork(tx, book);
    return page.cursor;
  },
};

async function assignWork(tx: Transaction, book: Book): Promise<void> {
  const work = await workFor(tx, book, { at: toTime(book.created_at), newId });
  await tx.put(books, { id: book.id }, { ...book, work_id: work });
  const plays = await tx.get(bookPlays, { book: book.id });
  const seconds = await tx.get(bookListenSeconds, { book: book.id });
  if (plays !== 0) tx.add(workPlays, { work }, plays);
  if (seconds !== 0) tx.add(workListenSeconds, { work }, seconds);
}

const migrations: KeyspaceMigrations = {
  versionKey: 'meta:version',
  recordKey: 'mig:{version:d10}',
  steps: [{ version: 1, description: 'the first layout', step: () => Promise.resolve(undefined) }, introduceWorks],
};
