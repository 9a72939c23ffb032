/**
 * utask as a library: `Utask` adds, updates, deletes, queries and resolves tasks, on NATS or on
 * this machine.
 *
 * @module
 */
export { type Bucket, type Buckets, type Entry, type StoreFacts } from './store/bucket.ts';
export { openUtask, type StoreLocation } from './service/open-utask.ts';
export { Utask, type Resolution, type TaskChange, type TaskEvent } from './service/utask.ts';
export type { Query } from './store/query.ts';
export type { IndexReport, Listing, Rebuilt } from './store/rebuild.ts';
export type { Task } from './model/task.ts';
export { taskSchema } from './model/task-schema.ts';
export { utaskErrors } from './model/errors.ts';
