import type { ExportedLink } from '../model/beads/from-task.ts';
import { issueKey } from '../model/beads/line.ts';
import { importedColumns, type ImportedTask } from '../model/beads/to-task.ts';
import type { Dependency } from '../model/dependency.ts';
import type { Task } from '../model/task.ts';
import { setMeta } from './meta.ts';
import type { SqlValue, Tx } from './open.ts';

export interface LocalTask {
  readonly id: string;
  readonly project_id: string;
  readonly updated_at: string;
  readonly line: string | null;
  readonly is_running: number;
  readonly archived_at: string | null;
}

export function originalLine(tx: Tx, id: string): string | undefined {
  return tx.get<{ line: string }>('SELECT line FROM beads_originals WHERE task_id = ?', id)?.line;
}

/** Defers foreign key checks, because lines may refer to later lines. The import checks cycles itself. */
export function beginImport(tx: Tx): void {
  tx.exec('PRAGMA defer_foreign_keys = ON');
  setMeta(tx, 'cycle_check', 'off');
}

export function endImport(tx: Tx): void {
  setMeta(tx, 'cycle_check', 'on');
}

export function localTasks(tx: Tx): Map<string, LocalTask> {
  const rows = tx.all<LocalTask>(
    `SELECT t.id, t.project_id, t.updated_at, t.archived_at, o.line,
            EXISTS (SELECT 1 FROM attempts a WHERE a.task_id = t.id AND a.ended_at IS NULL) AS is_running
     FROM tasks t LEFT JOIN beads_originals o ON o.task_id = t.id`,
  );
  return new Map(rows.map((row) => [row.id, row]));
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
  readonly isFailedClose: boolean;
}

export interface ImportedInto {
  readonly project: string;
  readonly maxAttempts: number;
}

/** Columns that an update sets. Columns that Beads does not have stay unchanged. */
const updates = ['project_id', 'parent_id', ...importedColumns].map((name) => `${name} = excluded.${name}`).join(', ');

export function upsertImported(tx: Tx, rows: readonly ImportRow[], { project, maxAttempts }: ImportedInto): void {
  insertMany(
    tx,
    'INSERT INTO tasks',
    rows,
    ({ task, parent, score }) => ({
      ...task,
      project_id: project,
      parent_id: parent,
      ready_at: task.status === 'ready' ? task.updated_at : null,
      max_attempts: maxAttempts,
      combined_priority: score,
      own_priority: score,
    }),
    `ON CONFLICT (id) DO UPDATE SET ${updates}, version = version + 1`,
  );
  insertMany(tx, 'INSERT OR REPLACE INTO beads_originals', rows, ({ task, line, isFailedClose }) => ({
    task_id: task.id,
    line,
    is_failed_close: isFailedClose ? 1 : 0,
  }));
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

export function insertImportedLinks(tx: Tx, links: readonly ImportedLink[]): void {
  insertMany(tx, 'INSERT OR IGNORE INTO dependencies', links, (link) => link);
}

export function storeUnresolved(tx: Tx, links: readonly UnresolvedLink[]): void {
  insertMany(tx, 'INSERT OR IGNORE INTO unresolved_dependencies', links, (link) => link);
}

export function resolvableLinks(tx: Tx): ImportLink[] {
  return tx.all(
    `SELECT u.child_id, u.parent_id, u.type, u.metadata FROM unresolved_dependencies u
     JOIN tasks t ON t.id = u.parent_id WHERE u.reason = 'missing' ORDER BY 1, 2, 3`,
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

/** Deletes the stored bad lines of earlier imports of a file. Lines that are still bad are stored again. */
export function forgetBadLines(tx: Tx, project: string, source: string): void {
  const start = `${BAD}${source}\n`;
  tx.run('DELETE FROM beads_lines WHERE project_id = ?1 AND substr(key, 1, length(?2)) = ?2', project, start);
}

/** Stores a bad line once, even if two files have it. */
export function storeBadLine(tx: Tx, project: string, source: string, line: string): void {
  tx.run(
    'DELETE FROM beads_lines WHERE project_id = ?1 AND line = ?2 AND substr(key, 1, length(?3)) = ?3',
    project,
    line,
    BAD,
  );
  storeLine(tx, project, `${BAD}${source}\n${line}`, line);
}

function dropLine(tx: Tx, project: string, key: string): void {
  tx.run('DELETE FROM beads_lines WHERE project_id = ? AND key = ?', project, key);
}

export function storeLine(tx: Tx, project: string, key: string, line: string): void {
  tx.run('INSERT OR REPLACE INTO beads_lines (project_id, key, line) VALUES (?, ?, ?)', project, key, line);
}

export function storedLines(tx: Tx, project: string): { readonly key: string; readonly line: string }[] {
  return tx.all('SELECT key, line FROM beads_lines WHERE project_id = ? ORDER BY key', project);
}

export interface ExportRow extends Task {
  readonly line: string | null;
}

export function exportRows(tx: Tx, project: string): ExportRow[] {
  return tx.all<ExportRow>(
    `SELECT t.*, o.line FROM tasks t LEFT JOIN beads_originals o ON o.task_id = t.id WHERE t.project_id = ?`,
    project,
  );
}

/** Returns all links of a project by task: resolved, unresolved, and parents. */
export function exportLinks(tx: Tx, project: string): Map<string, ExportedLink[]> {
  const rows = tx.all<ExportedLink & { readonly child_id: string }>(
    `SELECT d.child_id, d.parent_id AS depends_on_id, d.type, d.created_at,
            coalesce(d.created_by, 'ringmaster') AS created_by, d.metadata
     FROM dependencies d JOIN tasks t ON t.id = d.child_id WHERE t.project_id = ?1
     UNION
     SELECT u.child_id, u.parent_id, u.type, t.created_at, 'ringmaster', u.metadata
     FROM unresolved_dependencies u JOIN tasks t ON t.id = u.child_id WHERE t.project_id = ?1
     UNION
     SELECT id, parent_id, 'parent-child', created_at, 'ringmaster', NULL FROM tasks WHERE project_id = ?1 AND parent_id IS NOT NULL
     ORDER BY 1, 2, 3`,
    project,
  );
  const links = new Map<string, ExportedLink[]>();
  for (const { child_id, ...link } of rows) {
    const list = links.get(child_id);
    if (list === undefined) links.set(child_id, [link]);
    else list.push(link);
  }
  return links;
}

/** Maximum number of rows per statement: a power of two, well below SQLite's limit of 32,766 parameters. */
const ROWS_MAX = 1_024;
const PARAMETERS_MAX = 32_000;

/**
 * Inserts many rows in few statements. On a table with triggers, SQLite copies the changed pages to a statement
 * journal, which costs more than inserting a row. Sizes are powers of two, so ten prepared statements serve any number.
 */
function insertMany<T>(tx: Tx, into: string, items: readonly T[], rowOf: (item: T) => object, tail = ''): void {
  const names = items.slice(0, 1).flatMap((item) => Object.keys(rowOf(item)));
  const row = `(${names.map(() => '?').join(', ')})`;
  let size = ROWS_MAX;
  while (size * names.length > PARAMETERS_MAX) size /= 2;
  for (let start = 0; start < items.length; start += size) {
    while (size > items.length - start) size /= 2;
    const values = items.slice(start, start + size).flatMap((item) => {
      const fields = new Map(Object.entries(rowOf(item)));
      return names.map((name) => fields.get(name) as SqlValue);
    });
    const rows = Array.from({ length: size }, () => row).join(', ');
    tx.run(`${into} (${names.join(', ')}) VALUES ${rows} ${tail}`, ...values);
  }
}
