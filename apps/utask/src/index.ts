/**
 * The seed's package: a `Task`, and a `Store` that adds, updates, deletes, queries and resolves them, on NATS or on
 * this machine.
 *
 * @module
 */
export { type Bucket, type Buckets, type Entry, type StoreFacts } from './store/bucket.ts';
export { openStore, type Place } from './service/open-store.ts';
export { Store, type Resolution, type TaskChange, type TaskEvent } from './store/store.ts';
export type { Query } from './store/query.ts';
export type { IndexReport, Listing, Rebuilt } from './store/rebuild.ts';
export type { Task } from './model/task.ts';
export { taskSchema } from './model/task-schema.ts';
export { utaskErrors } from './model/errors.ts';
