/**
 * The only file that knows which SQLite driver is in use. It speaks Node's own `node:sqlite` API, so that moving to
 * the built-in module, once Node 20 is gone, is a change of this line.
 */
export { DatabaseSync, backup } from '@photostructure/sqlite';
export type { DatabaseSyncInstance, Session, StatementSyncInstance } from '@photostructure/sqlite';
