import type { Connection } from '@holdfast/sqlite';

/** Tables of the ringmaster design document, ordered so that each table refers only to earlier tables. */
const designTables = ['projects', 'workers', 'tasks', 'dependencies', 'chat_messages', 'summaries', 'events', 'queue'];
const OLD = 'design_';

/**
 * Renames the tables of a database that was created with the DDL in the ringmaster design document, so that ringmaster
 * can create its own tables. Drops the indexes and triggers of the renamed tables. Returns the renamed tables.
 */
export function setDesignAside(connection: Connection): readonly string[] {
  const names = designTables.map((name) => `'${name}'`).join(', ');
  const found = connection.all<{ type: string; name: string }>(
    `SELECT type, name FROM sqlite_schema WHERE tbl_name IN (${names}) AND sql IS NOT NULL`,
  );
  for (const { type, name } of found) if (type !== 'table') connection.exec(`DROP ${type} "${name}"`);
  const tables = designTables.filter((table) => found.some(({ type, name }) => type === 'table' && name === table));
  for (const table of tables) connection.exec(`ALTER TABLE ${table} RENAME TO ${OLD}${table}`);
  return tables;
}

/**
 * Replacements for values that cannot be copied: assignments and counts come from attempts, which the old database
 * lacks, and media files are stored by their hash.
 */
const replaced: Readonly<Record<string, string>> = {
  'tasks.status': `CASE WHEN status IN ('assigned', 'in_progress') THEN 'ready' ELSE status END`,
  'tasks.worker_id': 'NULL',
  'workers.status': `CASE status WHEN 'busy' THEN 'idle' ELSE status END`,
  'workers.current_task_id': 'NULL',
  'workers.tasks_completed': '0',
  'workers.tasks_failed': '0',
  'workers.avg_completion_seconds': 'NULL',
  'chat_messages.media_path': 'NULL',
};

/** Skips summaries of messages that do not exist. */
const conditions: Readonly<Record<string, string>> = {
  summaries:
    'message_range_start IN (SELECT id FROM chat_messages) AND message_range_end IN (SELECT id FROM chat_messages)',
};

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
}

/** Copies the rows into ringmaster's tables, which have no triggers yet, and drops the old tables. */
export function adoptDesign(connection: Connection, tables: readonly string[]): void {
  for (const table of tables) if (table !== 'queue') copyRows(connection, table);
  if (tables.includes('tasks')) connection.exec(`UPDATE ${OLD}tasks SET worker_id = NULL`);
  if (tables.includes('workers')) connection.exec(`UPDATE ${OLD}workers SET current_task_id = NULL`);
  for (const table of tables.toReversed()) connection.exec(`DROP TABLE ${OLD}${table}`);
}

function copyRows(connection: Connection, table: string): void {
  const columnsOf = (name: string): Column[] => connection.all<Column>(`SELECT * FROM pragma_table_info('${name}')`);
  const old = new Set(columnsOf(OLD + table).map(({ name }) => name));
  const columns = columnsOf(table).filter(({ name }) => old.has(name));
  const values = columns.map(({ name, type, notnull, dflt_value: fallback }) => {
    const time = type === 'DATETIME' ? `strftime('%Y-%m-%dT%H:%M:%fZ', ${name})` : name;
    const value = replaced[`${table}.${name}`] ?? time;
    return notnull === 1 && fallback !== null ? `coalesce(${value}, ${fallback})` : value;
  });
  const names = columns.map(({ name }) => name).join(', ');
  connection.exec(
    `INSERT INTO ${table} (${names}) SELECT ${values.join(', ')} FROM ${OLD}${table} WHERE ${conditions[table] ?? 'TRUE'}`,
  );
}
