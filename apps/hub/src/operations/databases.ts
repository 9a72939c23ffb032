import {
  choice,
  integer,
  list,
  nullable,
  object,
  operationsOf,
  optional,
  pageOf,
  text,
  time,
  withDefault,
} from '@holdfast/operation';

import type { Databases } from '../adapters/databases.ts';
import { databaseNames } from '../model/database-names.ts';

const defineOperation = operationsOf<Databases>();

const database = choice(databaseNames, 'Database');
const limit = (most: number, preset: number) =>
  withDefault(integer('Maximum number of results', { min: 1, max: most, clamp: true, label: 'count' }), preset);

const stateObject = object(
  {
    name: choice(databaseNames),
    kind: nullable(choice(['keyspace', 'tables'])),
    revision: nullable(integer()),
    oldest_restorable: nullable(integer('Earliest revision that the journal can restore')),
    last_commit_at: nullable(time()),
    bytes: integer(),
    log_bytes: integer(),
    long_readers: nullable(
      object({
        pinned_bytes: integer('Bytes of the write-ahead log that cannot be reused while these readers run'),
        oldest_before: nullable(time('Time of the first commit that the oldest reader cannot see')),
        processes: list(object({ pid: integer(), command: text() })),
      }),
    ),
    problem: nullable(object({ code: text(), message: text() })),
  },
  { id: 'DatabaseState' },
);

export const listDatabases = defineOperation({
  name: 'database.list',
  summary: 'List existing databases and their state',
  permission: 'system:read',
  input: {},
  output: pageOf(stateObject),
  run: async () => (await import('../service/databases.ts')).describeDatabases,
});

const keyObject = object({ key: text(), value: text(), encoding: choice(['json', 'text', 'hex']) }, { id: 'Key' });

export const listKeys = defineOperation({
  name: 'key.list',
  summary: 'List the keys in a keyspace, in key order',
  permission: 'system:read',
  input: {
    database,
    prefix: withDefault(text('Only keys that start with this prefix', { max: 1_000 }), ''),
    after: optional(text('Only keys after this one', { max: 1_000, label: 'key' })),
    limit: limit(500, 100),
  },
  output: pageOf(keyObject),
  absent: { cli: '`holdfast keys` streams any number of keys and also accepts a database path' },
  run: async () => {
    const service = await import('../service/databases.ts');
    return (databases, input) => service.listKeys(databases, input);
  },
});

const commitObject = object(
  {
    database: choice(databaseNames),
    revision: integer(),
    at: time(),
    note: nullable(text()),
    changes: list(
      object({
        key: text('Key or table name'),
        operation: choice(['insert', 'update', 'delete']),
        before: nullable(text()),
        after: nullable(text()),
      }),
    ),
    total: integer('Number of changes in the commit; `changes` may contain fewer'),
  },
  { id: 'Commit' },
);

export const listCommits = defineOperation({
  name: 'commit.list',
  summary: 'List commits of a database, newest first',
  permission: 'system:read',
  input: {
    database,
    before: optional(integer('Only commits before this revision', { min: 1, label: 'revision' })),
    limit: limit(100, 30),
  },
  output: pageOf(commitObject),
  absent: { cli: '`holdfast changes` streams commits and also accepts a database path' },
  run: async () => {
    const service = await import('../service/databases.ts');
    return (databases, input) => service.listCommits(databases, input);
  },
});

const backupObject = object(
  { file: text(), revision: integer(), oldest_revision: integer(), created_at: time(), bytes: integer() },
  { id: 'Backup' },
);

export const listBackups = defineOperation({
  name: 'backup.list',
  summary: 'List backups of a database, newest first',
  permission: 'system:read',
  input: { database },
  output: pageOf(backupObject),
  absent: { cli: '`holdfast backup --list` also accepts a database path' },
  run: async () => {
    const service = await import('../service/backups.ts');
    return (databases, input) => service.listBackups(databases, input.database);
  },
});

export const createBackup = defineOperation({
  name: 'backup.create',
  summary: 'Back up a database while it is in use, and check the copy',
  permission: 'system:admin',
  input: { database },
  output: backupObject,
  absent: { cli: '`holdfast backup` also accepts a database path and any target file' },
  run: async () => {
    const service = await import('../service/backups.ts');
    return (databases, input) => service.createBackup(databases, input.database);
  },
});

export const restoreDatabase = defineOperation({
  name: 'database.restore',
  summary: 'Restore a database to an earlier revision, as a new commit',
  permission: 'system:admin',
  input: { database, revision: integer('Revision to restore', { min: 0 }) },
  output: object({
    revision: integer(),
    changed: integer('Number of changes undone'),
    undo_with: integer('To undo this restore, restore this revision'),
  }),
  absent: {
    cli: '`holdfast restore` also accepts a time, a backup file or a database path',
    mcp: 'Undoes the work of all users, so a person must decide',
  },
  run: async () => {
    const service = await import('../service/databases.ts');
    return (databases, input) => service.restoreDatabase(databases, input);
  },
});
