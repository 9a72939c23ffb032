export { backupDatabase, type BackupManifest, type BackupProgress, type StoredBackup, verifyBackup } from './backup.ts';
export { backupToFolder, type FolderBackup, listBackups } from './backup-folder.ts';
export { Connection, type Row, type SqlValue } from './connection.ts';
export {
  type CloseOptions,
  columnNames,
  Database,
  type DatabaseOptions,
  openDatabase,
  openExisting,
} from './database.ts';
export { storeErrors } from './errors.ts';
export type { Committed, WriteTransaction } from './group-commit.ts';
export type { RowChange, RowOperation } from './journal/changeset.ts';
export { findJournalProblems, type JournalProblem } from './journal/check.ts';
export { type EntryKind, type JournalEntry, type Retention, revisionAt } from './journal/journal.ts';
export { encodeKeyChanges, type KeyChange } from './journal/key-changes.ts';
export type { RowImage } from './journal/row-images.ts';
export { type DatabaseKind, detectKind } from './layout.ts';
export type { Migration, MigrationPlan } from './migrations.ts';
export { replaceFromBackup, type Replacement } from './replace-file.ts';
export type { Snapshot } from './snapshot-pool.ts';
export { openTableStore, type TableStore, type TableStoreOptions } from './table-store.ts';
export { restoreToRevision } from './undo.ts';
