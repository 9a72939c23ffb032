export type {
  CommitOutcome,
  CommitRequest,
  Engine,
  EngineCommit,
  EngineSnapshot,
  Entry,
  RangeRequest,
} from './storage-engine.ts';
export { resolveCommit } from './resolve-commit.ts';
export { memoryEngine } from './engines/memory.ts';
export { engineOn, sqliteEngine } from './engines/sqlite.ts';
export { keyspaceErrors } from './errors.ts';
export { afterKey, compareKeys, prefixSuccessor } from './keys/order.ts';
export { keyMatcher } from './key-roles.ts';
export { Keyspace, type KeyspaceReader, openKeyspace, type Schema } from './keyspace.ts';
export { LeasedWork, leases } from './leased-work.ts';
export { Template } from './keys/template.ts';
export type { KeyspaceMigration, KeyspaceMigrations } from './migrations.ts';
export { type OnUnreadable, type Page, type PageOptions, Reads } from './reads.ts';
export { counter, log, record, type RecordDefinition, text } from './schema/record-definitions.ts';
export type { StandardSchema } from './schema/standard-schema.ts';
export { Transaction } from './transaction.ts';
export { isUlid, type UlidSource, ulidSource } from '@holdfast/base';
export type { Problem, VerifyReport } from './verify.ts';
export type { CommitSeen, TypedCommit } from './watch.ts';
