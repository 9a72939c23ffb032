/**
 * utask as a library: `Utask` adds, updates, deletes, queries and resolves tasks, on NATS or on this machine.
 *
 * @module
 */
export { schema } from './store/embedded.ts';
export { type Bucket, type Buckets, type Entry, type StoreFacts } from './store/bucket.ts';
export { openUtask, type StoreLocation } from './service/open-utask.ts';
export { Utask, type Resolution, type TaskChange, type TaskEvent } from './service/utask.ts';
export type { IndexReport, Listing, Query, Rebuilt } from './store/tag-index.ts';
export type { Task } from './model/task.ts';
export { utaskErrors } from './model/errors.ts';
