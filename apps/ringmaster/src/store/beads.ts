import { parseStoredList } from '@holdfast/base';

import type { ExportedLink } from '../model/beads/from-task.ts';
import { issueKey } from '../model/beads/line.ts';
import { importedColumns, type ImportedTask } from '../model/beads/to-task.ts';
import type { Dependency } from '../model/dependency.ts';
import type { Task } from '../model/task.ts';
import { setMeta } from './meta.ts';
import { BulkInsert } from './bulk-insert.ts';
import type { SqlValue, Tx } from './open.ts';

export interface LocalTask {
  readonly id: string;
  readonly project_id: string;
  readonly updated_at: string;
  readonly line: string | null;
  readonly position: number | null;
  readonly is_running: number;
  readonly archived_at: string | null;
  readonly deleted_at: string | null;
}

export function originalLine(tx: Tx, id: string): string | undefined {
  return tx.get<{ line: string }>('SELECT line FROM beads_originals WHERE task_id = ?', id)?.line;
}

/**
 * SQLite's page cache during an import. An import is one transaction: pages that do not fit into the cache are written
 * to the -wal file and read again, many times.
 */
const IMPORT_CACHE_KIB = 48 * 1_024;

/** Runs an import with a larger page cache. */
export function withImportCache<T>(tx: Tx, body: () => T): T {
  const usual = tx.get<{ cache_size: number }>('PRAGMA cache_size')?.cache_size ?? 0;
  tx.exec(`PRAGMA cache_size = -${IMPORT_CACHE_KIB}`);
  try {
    return body();
  } finally {
    tx.exec(`PRAGMA cache_size = ${usual}`);
  }
}

/** Defers foreign key checks, because lines may refer to later lines. The import checks cycles itself. */
export function beginImport(tx: Tx): void {
  tx.exec('PRAGMA defer_foreign_keys = ON');
  setMeta(tx, 'cycle_check', 'off');
}

export function endImport(tx: Tx): void {
  setMeta(tx, 'cycle_check', 'on');
}

export function localTasks(tx: Tx, ids: readonly string[]): Map<string, LocalTask> {
  const rows = tx.all<LocalTask>(
    `SELECT t.id, t.project_id, t.updated_at, t.archived_at, t.deleted_at, o.line, o.position,
            EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = t.id AND a.ended_at IS NULL) AS is_running
     FROM json_each(?) ids JOIN tasks t ON t.id = ids.value LEFT JOIN beads_originals o ON o.task_id = t.id`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Ids of all tasks that are not deleted. */
export function taskIds(tx: Tx): readonly string[] {
  return listOf(tx, 'SELECT id AS item FROM tasks WHERE deleted_at IS NULL');
}

/** Returns one column as a list. One row object per value would take ten times the memory. */
function listOf(tx: Tx, sql: string, ...values: SqlValue[]): readonly string[] {
  const row = tx.get<{ items: string }>(`SELECT json_group_array(item) AS items FROM (${sql})`, ...values);
  return parseStoredList(row?.items ?? '[]') as string[];
}

/** Returns the export positions of stored lines that are not issues. */
export function linePositions(tx: Tx, project: string, keys: readonly string[]): Map<string, number | null> {
  const rows = tx.all<{ key: string; position: number | null }>(
    `SELECT l.key, l.position FROM json_each(?2) keys JOIN beads_lines l ON l.project_id = ?1 AND l.key = keys.value`,
    project,
    JSON.stringify(keys),
  );
  return new Map(rows.map(({ key, position }) => [key, position]));
}

export function lastPosition(tx: Tx, project: string): number {
  const row = tx.get<{ last: number | null }>(
    `SELECT max(last) AS last FROM (
       SELECT max(o.position) AS last FROM beads_originals o JOIN tasks t ON t.id = o.task_id WHERE t.project_id = ?1
       UNION ALL SELECT max(position) FROM beads_lines WHERE project_id = ?1)`,
    project,
  );
  return row?.last ?? 0;
}

export function moveIssue(tx: Tx, id: string, position: number): void {
  tx.run('UPDATE beads_originals SET position = ? WHERE task_id = ?', position, id);
}

export function moveLine(tx: Tx, project: string, key: string, position: number): void {
  tx.run('UPDATE beads_lines SET position = ? WHERE project_id = ? AND key = ?', position, project, key);
}

/** Returns all blocking links, parents included. */
export function gatingLinks(tx: Tx): { readonly child_id: string; readonly parent_id: string }[] {
  return tx.all(
    `SELECT child_id, parent_id FROM dependencies
     WHERE type IN ('blocks', 'conditional-blocks', 'waits-for', 'parent-child')
     UNION ALL SELECT id, parent_id FROM tasks WHERE parent_id IS NOT NULL`,
  );
}

export interface ImportRow {
  readonly task: ImportedTask;
  readonly parent: string | null;
  readonly score: number;
  readonly line: string;
  readonly position: number;
  readonly isFailedClose: boolean;
}

export interface ImportedInto {
  readonly project: string;
  readonly maxAttempts: number;
}

/** Columns that an update sets. Columns that Beads does not have stay unchanged. */
const updates = ['project_id', 'parent_id', ...importedColumns].map((name) => `${name} = excluded.${name}`).join(', ');

const taskRows = new BulkInsert(
  'INSERT INTO tasks',
  [
    'id',
    ...importedColumns,
    'project_id',
    'parent_id',
    'ready_at',
    'max_attempts',
    'combined_priority',
    'own_priority',
  ],
  `ON CONFLICT (id) DO UPDATE SET ${updates}, version = version + 1`,
);
const lineRows = new BulkInsert('INSERT OR REPLACE INTO beads_originals', [
  'task_id',
  'line',
  'position',
  'is_failed_close',
]);

export function upsertImported(tx: Tx, rows: readonly ImportRow[], { project, maxAttempts }: ImportedInto): void {
  const tasks: SqlValue[] = [];
  const lines: SqlValue[] = [];
  for (const { task, parent, score, line, position, isFailedClose } of rows) {
    tasks.push(task.id);
    for (const name of importedColumns) tasks.push(task[name]);
    tasks.push(project, parent, task.status === 'ready' ? task.updated_at : null, maxAttempts, score, score);
    lines.push(task.id, line, position, isFailedClose ? 1 : 0);
  }
  taskRows.run(tx, tasks);
  lineRows.run(tx, lines);
}

export function clearLinks(tx: Tx, id: string): void {
  tx.run('DELETE FROM dependencies WHERE child_id = ?', id);
  tx.run('DELETE FROM unresolved_dependencies WHERE child_id = ?', id);
}

type ImportLink = Pick<Dependency, 'child_id' | 'parent_id' | 'type'> & { readonly metadata: string | null };

export interface ImportedLink extends ImportLink {
  readonly created_at: string;
  readonly created_by: string;
}
export interface UnresolvedLink extends ImportLink {
  readonly reason: 'missing' | 'external' | 'cycle';
}

const linkRows = new BulkInsert('INSERT OR IGNORE INTO dependencies', [
  'child_id',
  'parent_id',
  'type',
  'metadata',
  'created_at',
  'created_by',
]);

export function insertImportedLinks(tx: Tx, links: readonly ImportedLink[]): void {
  const values: SqlValue[] = [];
  for (const link of links) {
    values.push(link.child_id, link.parent_id, link.type, link.metadata, link.created_at, link.created_by);
  }
  linkRows.run(tx, values);
}

const unresolvedRows = new BulkInsert('INSERT OR IGNORE INTO unresolved_dependencies', [
  'child_id',
  'parent_id',
  'type',
  'metadata',
  'reason',
]);

export function storeUnresolved(tx: Tx, links: readonly UnresolvedLink[]): void {
  const values: SqlValue[] = [];
  for (const { child_id, parent_id, type, metadata, reason } of links) {
    values.push(child_id, parent_id, type, metadata, reason);
  }
  unresolvedRows.run(tx, values);
}

export function resolvableLinks(tx: Tx): ImportLink[] {
  return tx.all(
    `SELECT u.child_id, u.parent_id, u.type, u.metadata FROM unresolved_dependencies u
     JOIN tasks t ON t.id = u.parent_id WHERE u.reason = 'missing' AND t.deleted_at IS NULL ORDER BY 1, 2, 3`,
  );
}

export function countUnresolved(tx: Tx): number {
  return tx.get<{ n: number }>('SELECT count(*) AS n FROM unresolved_dependencies')?.n ?? 0;
}

export function dropUnresolved(tx: Tx, child: string, parent: string, type: string): void {
  tx.run('DELETE FROM unresolved_dependencies WHERE child_id = ? AND parent_id = ? AND type = ?', child, parent, type);
}

/** Archives a task that was deleted in Beads; its history stays. */
export function archiveDeletedTask(tx: Tx, id: string, at: string, now: string): void {
  tx.run(
    `UPDATE tasks SET status = 'done', completed_at = coalesce(completed_at, ?2), archived_at = ?3, updated_at = ?2,
       version = version + 1, external_owner = NULL, blocked_reason = NULL WHERE id = ?1`,
    id,
    at,
    now,
  );
}

/** Restores a task that exists in Beads again, and deletes its tombstone. */
export function restoreDeletedTask(tx: Tx, project: string, id: string): void {
  dropLine(tx, project, issueKey(id));
  tx.run('UPDATE tasks SET archived_at = NULL WHERE id = ?', id);
}

const BAD = '3 bad ';

export function badLineKey(source: string, line: string): string {
  return `${BAD}${source}\n${line}`;
}

/** Deletes the bad lines that earlier imports of a file stored, except lines that the file still contains. */
export function forgetBadLines(tx: Tx, project: string, source: string, kept: ReadonlySet<string>): void {
  const start = badLineKey(source, '');
  const rows = tx.all<{ key: string }>(
    'SELECT key FROM beads_lines WHERE project_id = ?1 AND substr(key, 1, length(?2)) = ?2',
    project,
    start,
  );
  for (const { key } of rows) if (!kept.has(key)) dropLine(tx, project, key);
}

/** Stores a bad line once, even if two files have it. */
export function storeBadLine(tx: Tx, project: string, source: string, line: string): void {
  const key = badLineKey(source, line);
  tx.run(
    'DELETE FROM beads_lines WHERE project_id = ?1 AND line = ?2 AND key <> ?4 AND substr(key, 1, length(?3)) = ?3',
    project,
    line,
    BAD,
    key,
  );
  storeLine(tx, project, key, line);
}

function dropLine(tx: Tx, project: string, key: string): void {
  tx.run('DELETE FROM beads_lines WHERE project_id = ? AND key = ?', project, key);
}

export function storeLine(tx: Tx, project: string, key: string, line: string): void {
  tx.run(
    `INSERT INTO beads_lines (project_id, key, line) VALUES (?, ?, ?)
     ON CONFLICT (project_id, key) DO UPDATE SET line = excluded.line`,
    project,
    key,
    line,
  );
}

export function storedKeys(tx: Tx, project: string): Set<string> {
  const rows = tx.all<{ key: string }>('SELECT key FROM beads_lines WHERE project_id = ?', project);
  return new Set(rows.map(({ key }) => key));
}

export function storedLine(tx: Tx, project: string, key: string): string | undefined {
  return tx.get<{ line: string }>('SELECT line FROM beads_lines WHERE project_id = ? AND key = ?', project, key)?.line;
}

/**
 * Returns the order of an export: imported lines as in their files, then tasks created in ringmaster. `t ID` is a task;
 * `l KEY` is a stored line that is not a task.
 */
export function exportOrder(tx: Tx, project: string): readonly string[] {
  return listOf(
    tx,
    `SELECT item FROM (
       SELECT 't ' || t.id AS item, '1 ' || t.id AS key, o.position
       FROM tasks t LEFT JOIN beads_originals o ON o.task_id = t.id
       WHERE t.project_id = ?1 AND (t.archived_at IS NULL OR NOT EXISTS (
         SELECT 1 FROM beads_lines l WHERE l.project_id = ?1 AND l.key = '1 ' || t.id))
       UNION ALL SELECT 'l ' || key, key, position FROM beads_lines WHERE project_id = ?1)
     ORDER BY position IS NULL, position, key`,
    project,
  );
}

export interface ExportRow extends Task {
  readonly line: string | null;
}

export function exportRows(tx: Tx, ids: readonly string[]): ExportRow[] {
  return tx.all<ExportRow>(
    `SELECT t.*, o.line FROM json_each(?) ids JOIN tasks t ON t.id = ids.value
     LEFT JOIN beads_originals o ON o.task_id = t.id ORDER BY ids.key`,
    JSON.stringify(ids),
  );
}

/** Returns the links of the given tasks, grouped by task: resolved and unresolved links, and parents. */
export function exportLinks(tx: Tx, ids: readonly string[]): Map<string, ExportedLink[]> {
  const rows = tx.all<ExportedLink & { readonly child_id: string }>(
    `WITH wanted(id) AS (SELECT value FROM json_each(?1))
     SELECT d.child_id, d.parent_id AS depends_on_id, d.type, d.created_at,
            coalesce(d.created_by, 'ringmaster') AS created_by, d.metadata
     FROM wanted JOIN dependencies d ON d.child_id = wanted.id
     UNION
     SELECT u.child_id, u.parent_id, u.type, t.created_at, 'ringmaster', u.metadata
     FROM wanted JOIN unresolved_dependencies u ON u.child_id = wanted.id JOIN tasks t ON t.id = u.child_id
     UNION
     SELECT t.id, t.parent_id, 'parent-child', t.created_at, 'ringmaster', NULL
     FROM wanted JOIN tasks t ON t.id = wanted.id WHERE t.parent_id IS NOT NULL
     ORDER BY 1, 2, 3`,
    JSON.stringify(ids),
  );
  const links = new Map<string, ExportedLink[]>();
  for (const { child_id, ...link } of rows) {
    const list = links.get(child_id);
    if (list === undefined) links.set(child_id, [link]);
    else list.push(link);
  }
  return links;
}
