/**
 * Bugs that our tests must catch. Each is planted in a copy of the sources, and the named tests are run on it: they have
 * to fail. A test that cannot fail proves nothing, and this is how we know that these can.
 */
export interface PlantedBug {
  readonly name: string;
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly original: string;
  readonly planted: string;
  /** The lane and the test file that must notice. */
  readonly lane: 'unit' | 'crash';
  readonly caughtBy: string;
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'an index write is skipped',
    file: 'packages/keyspace/src/transaction.ts',
    original: 'this.#view.write(indexKey, target);',
    planted: '',
    lane: 'unit',
    caughtBy: 'packages/keyspace/src/indexes.test.ts',
  },
  {
    name: 'a transaction is acknowledged before its commit',
    file: 'packages/sqlite/src/group-commit.ts',
    original: `connection.prepare('COMMIT').run();`,
    planted: `setImmediate(() => connection.prepare('COMMIT').run());`,
    lane: 'unit',
    caughtBy: 'packages/sqlite/src/group-commit.test.ts',
  },
  {
    name: 'the upper bound of a scan leaves out what is beyond ASCII',
    file: 'packages/keyspace/src/keys/template.ts',
    original: 'lt: prefixSuccessor(prefix)',
    planted: 'lt: `${prefix}~`',
    lane: 'unit',
    caughtBy: 'packages/keyspace/src/transactions.test.ts',
  },
  {
    name: 'a wake-up that comes while a watcher reads is lost',
    file: 'packages/base/src/follow.ts',
    original: 'maybeMore = false;\n      for (const entry of await source.read(last)) {',
    planted: 'const page = await source.read(last);\n      maybeMore = false;\n      for (const entry of page) {',
    lane: 'unit',
    caughtBy: 'packages/base/src/follow.test.ts',
  },
  {
    name: 'a sequence number is given out twice',
    file: 'packages/keyspace/src/resolve-commit.ts',
    original: `decodeCounter(held, encoding) + (counterHolds === 'last' ? 1 : 0)`,
    planted: 'decodeCounter(held, encoding)',
    lane: 'unit',
    caughtBy: 'packages/keyspace/src/engines/engines.test.ts',
  },
  {
    name: 'the write lock is left to the busy handler of SQLite, which is unfair',
    file: 'packages/sqlite/src/write-lock.ts',
    original: `connection.exec('PRAGMA busy_timeout = 0');`,
    planted: `connection.exec('PRAGMA busy_timeout = 5000');`,
    lane: 'unit',
    caughtBy: 'packages/sqlite/src/write-lock.test.ts',
  },
  {
    name: 'a migration is not atomic',
    file: 'packages/sqlite/src/migrations.ts',
    original: 'const started = performance.now();',
    planted: `const started = performance.now();\n  connection.exec('COMMIT');`,
    lane: 'unit',
    caughtBy: 'packages/sqlite/src/migrations.test.ts',
  },
  {
    name: 'the -wal of the old database is left beside a restored one',
    file: 'packages/sqlite/src/replace-file.ts',
    original: `old.exec('PRAGMA journal_mode = DELETE');`,
    planted: `return { revision: undefined, release: () => undefined };`,
    lane: 'crash',
    caughtBy: 'packages/sqlite/src/replace-file.crash.test.ts',
  },
  {
    name: 'text in keys is not escaped',
    file: 'packages/keyspace/src/keys/text.ts',
    original: `const escaped = text.replaceAll(everySpecial, escapeCharacter);`,
    planted: 'const escaped = text;',
    lane: 'unit',
    caughtBy: 'packages/keyspace/src/keys/keys.property.test.ts',
  },
  {
    name: 'a member that fails takes its group commit down',
    file: 'packages/sqlite/src/group-commit.ts',
    original: 'if (!connection.inTransaction) throw error;',
    planted: 'throw error;',
    lane: 'unit',
    caughtBy: 'packages/sqlite/src/group-commit.test.ts',
  },
];
