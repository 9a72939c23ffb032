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
  {
    name: 'a transaction that describes less than it did is believed',
    file: 'packages/sqlite/src/group-commit.ts',
    original: 'if (totalChanges(connection) - changedBefore !== images.length) throw new Misdescribed();',
    planted: '',
    lane: 'unit',
    caughtBy: 'packages/sqlite/src/journal/row-images.test.ts',
  },
  {
    name: 'ringmaster: the report of somebody who lost the task counts',
    file: 'apps/ringmaster/src/store/attempts.ts',
    original: 'if (attempt.ended_at === null) return attempt;',
    planted: 'if (attempt.id > 0) return attempt;',
    lane: 'unit',
    caughtBy: 'apps/ringmaster/src/service/queue.test.ts',
  },
  {
    name: 'ringmaster: a failed task releases what waits for it',
    file: 'apps/ringmaster/src/store/schema/views.ts',
    original: "ELSE b.status <> 'done' END;",
    planted: "ELSE b.status NOT IN ('done', 'failed') END;",
    lane: 'unit',
    caughtBy: 'apps/ringmaster/src/service/graph.test.ts',
  },
  {
    name: 'ringmaster: a cleanup that was killed leaves its files for ever',
    file: 'apps/ringmaster/src/service/cleanup.ts',
    original: 'const left = deletedFiles(rm.store.reader)',
    planted:
      'const left = deletedFiles(rm.store.reader).filter(({ deleted_at }) => deleted_at === callOf(rm).now + rm.random())',
    lane: 'crash',
    caughtBy: 'apps/ringmaster/src/service/interrupted.crash.test.ts',
  },
  {
    name: 'ringmaster: half a secret at the edge of what was forgotten is shown',
    file: 'apps/ringmaster/src/worker/capped-output.ts',
    original: 'if (tail.hasForgotten) lines.shift();',
    planted: '',
    lane: 'unit',
    caughtBy: 'apps/ringmaster/src/worker/worker.test.ts',
  },
  {
    name: 'ringmaster: a worker that says it is done is believed whatever its exit code',
    file: 'apps/ringmaster/src/worker/outcome.ts',
    original: 'const isGoodExit = ended.exitCode === 0 && !saysFailed;',
    planted: 'const isGoodExit = !saysFailed;',
    lane: 'unit',
    caughtBy: 'apps/ringmaster/src/worker/worker.test.ts',
  },
  {
    name: 'ringmaster: after a crash a turn that only had to be tested is done again',
    file: 'apps/ringmaster/src/worker/next-step.ts',
    original: "if (turn.result === 'success') return afterSuccess(state, turn);",
    planted: "if (turn.result === 'success' && turn.stage !== 'worked') return afterSuccess(state, turn);",
    lane: 'unit',
    caughtBy: 'apps/ringmaster/src/worker/worker.test.ts',
  },
  {
    name: 'ringmaster: one source takes the room of the others in a prompt',
    file: 'apps/ringmaster/src/model/prompt/choose.ts',
    original: 'let room = Math.min(maxTokens, left);',
    planted: 'let room = left;',
    lane: 'unit',
    caughtBy: 'apps/ringmaster/src/model/prompt/prompt.test.ts',
  },
];
