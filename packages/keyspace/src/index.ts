export type {
  Capabilities,
  CommitOutcome,
  CommitRequest,
  Engine,
  EngineChange,
  EngineCommit,
  EngineSnapshot,
  Entry,
  RangeRequest,
} from './engine.ts';
export { memoryEngine } from './engines/memory.ts';
export { engineOn, sqliteEngine } from './engines/sqlite.ts';
export { keyspaceErrors } from './errors.ts';
export { afterKey, compareKeys, prefixSuccessor } from './keys/order.ts';
export { Template } from './keys/template.ts';
export { decodeText, encodeText } from './keys/text.ts';
export type { KeyOf, LeadingKeyOf } from './keys/types.ts';
export { keyMatcher, type KeyRole } from './key-roles.ts';
export { Keyspace, type KeyspaceOptions, openKeyspace, type Schema, type Transacted } from './keyspace.ts';
export type { KeyspaceMigration, KeyspaceMigrations } from './migrations.ts';
export { type ListOptions, type Page, type PageOptions, Reads } from './reads.ts';
export {
  bytes,
  counter,
  type CounterDefinition,
  type Definition,
  log,
  type LogDefinition,
  record,
  type RecordDefinition,
  text,
  type ValueOf,
} from './schema/definitions.ts';
export type { StandardSchema } from './schema/standard-schema.ts';
export { Transaction } from './transaction.ts';
export { isUlid, type UlidInputs, type UlidSource, ulidSource, ulidTime } from '@holdfast/base';
export type { Problem, ProblemKind, VerifyReport } from './verify.ts';
export type { CommitSeen, TypedChange, TypedCommit, WatchOptions } from './watch.ts';
