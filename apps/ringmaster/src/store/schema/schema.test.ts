import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { designTables } from '../../../test/design-sql.ts';
import { openTest, openWithProject, temporaryFolder } from '../../../test/harness.ts';
import { workspaceAt } from '../../adapters/workspace.ts';
import { defaultConfig } from '../../model/config.ts';
import { examine } from '../../service/doctor.ts';
import { claimNext } from '../../service/queue.ts';
import type { Ringmaster } from '../../service/ringmaster.ts';
import { addTask } from '../../service/tasks.ts';

/** The sqlite3 program is available everywhere, and the ringmaster design document uses it. */
const PROGRAM = 'sqlite3';

let rm: Ringmaster;

beforeEach(async () => {
  rm = await openWithProject();
});

/** Runs the sqlite3 program on the live database, as the ringmaster design document does. */
function sqlite3(sql: string): string {
  const { stdout, stderr, status } = spawnSync(PROGRAM, ['-cmd', 'PRAGMA foreign_keys=ON', rm.store.path], {
    input: sql,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0 || stderr !== '') throw new Error(stderr);
  return stdout.trim();
}

describe('the schema, read back with sqlite3', () => {
  it.each(designTables)(
    'has the table $name with the columns and indexes of the design document',
    ({ name, columns, indexes }) => {
      const found = sqlite3(`SELECT name FROM pragma_table_xinfo('${name}')`).split('\n');
      expect(found.slice(0, name === 'queue' ? columns.length : undefined)).toEqual(
        expect.arrayContaining([...columns]),
      );
      expect(found.filter((column) => columns.includes(column))).toEqual(columns);
      const onTable = sqlite3(`SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${name}'`);
      expect(onTable.split('\n')).toEqual(expect.arrayContaining([...indexes]));
    },
  );

  it('has every column line of the design document', () => {
    const ours = normal(
      rm.store.reader
        .all<{ sql: string }>(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL`)
        .map(({ sql }) => sql)
        .join('\n'),
    );
    const design = readFileSync(join(import.meta.dirname, '../../../test/design-schema.sql'), 'utf8');
    const lines = normal(design)
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(100);
    expect(lines.filter((line) => !ours.includes(line))).toEqual([
      // Flaw 9: several links may connect the same two tasks.
      'PRIMARY KEY (child_id, parent_id)',
    ]);
  });

  it('is in WAL mode with full durability and foreign keys', () => {
    expect(rm.store.reader.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
    expect(rm.store.reader.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
    expect(rm.store.reader.get('PRAGMA cache_size')).toEqual({ cache_size: -10_000 });
    expect(rm.store.reader.get('PRAGMA foreign_keys')).toEqual({ foreign_keys: 1 });
    expect(rm.store.reader.get('PRAGMA busy_timeout')).toEqual({ timeout: 5_000 });
  });
});

/** Drops comments, spaces, and the additions for flaws 12, 23, 31, 40 and 41. */
function normal(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(`(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`, 'CURRENT_TIMESTAMP')
    .replaceAll(/ NOT NULL/g, '')
    .replaceAll(/ ON DELETE (CASCADE|SET NULL)/g, '')
    .replaceAll(/ REFERENCES (files|chat_messages)\(\w+\)/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.trim().replace(/[,;]$/, ''))
    .join('\n');
}

describe('statements of the design document on a live database', () => {
  it('queue: select, assign, and the task follows', async () => {
    const low = await addTask(rm, { title: 'low', priority: 'P4' });
    const high = await addTask(rm, { title: 'high', priority: 'P0' });
    const select = 'SELECT task_id FROM queue WHERE assigned_at IS NULL ORDER BY priority_score DESC LIMIT 1';
    expect(sqlite3(select)).toBe(high.id);
    // Flaw 1: SQLite has no FOR UPDATE.
    expect(() => sqlite3(`${select} FOR UPDATE`)).toThrow('syntax error');
    sqlite3(`UPDATE queue SET assigned_at = '2026-11-15T10:00:00.000Z', worker_id = 'w1' WHERE task_id = '${high.id}';
             UPDATE tasks SET status = 'assigned', worker_id = 'w1' WHERE id = '${high.id}';`);
    expect(sqlite3(select)).toBe(low.id);
    expect(sqlite3(`SELECT status, current_task_id FROM workers`)).toBe(`busy|${high.id}`);
    expect(sqlite3(`SELECT status, worker_id, attempts FROM tasks WHERE id = '${high.id}'`)).toBe('assigned|w1|1');
    expect(sqlite3(`SELECT worker_id FROM queue WHERE task_id = '${high.id}'`)).toBe('w1');
  });

  it('reads of a task and its dependencies', async () => {
    const one = await addTask(rm, { title: 'one' });
    const two = await addTask(rm, { title: 'two', depends_on: [one.id] });
    expect(sqlite3(`SELECT parent_id FROM dependencies WHERE child_id = '${two.id}'`)).toBe(one.id);
    expect(
      sqlite3(`SELECT t.id, GROUP_CONCAT(d.parent_id) as deps FROM tasks t
               LEFT JOIN dependencies d ON t.id = d.child_id WHERE t.project_id = 'circus' GROUP BY t.id ORDER BY 2`),
    ).toBe([`${one.id}|`, `${two.id}|${one.id}`].join('\n'));
    sqlite3(`INSERT OR IGNORE INTO dependencies (child_id, parent_id) VALUES ('${two.id}', '${one.id}')`);
    expect(sqlite3('SELECT count(*) FROM dependencies')).toBe('1');
  });

  it('refuses what the design document lets through', async () => {
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((id) => addTask(rm, { id, title: id })));
    const link = (child: string, parent: string): string =>
      sqlite3(`INSERT INTO dependencies (child_id, parent_id) VALUES ('${child}', '${parent}')`);
    expect(() => link('a', 'a')).toThrow('Task cannot depend on itself');
    link('b', 'a');
    link('c', 'b');
    expect(() => link('a', 'c')).toThrow('circle');
    expect(() => sqlite3(`UPDATE dependencies SET parent_id = 'b' WHERE child_id = 'b'`)).toThrow('itself');
    expect(() => sqlite3(`UPDATE dependencies SET parent_id = 'c' WHERE child_id = 'b'`)).toThrow('circle');
    expect(() => sqlite3(`UPDATE tasks SET parent_id = 'c' WHERE id = 'a'`)).toThrow('circle');
    expect(() => sqlite3(`UPDATE tasks SET status = NULL WHERE id = 'a'`)).toThrow('NOT NULL');
    expect(() => sqlite3(`UPDATE tasks SET priority = 2 WHERE id = 'a'`)).toThrow('CHECK');
    expect(() => sqlite3(`DELETE FROM events`)).toThrow('append-only');
    expect(() => sqlite3(`UPDATE events SET event_type = 'x'`)).toThrow('append-only');
    expect(() => sqlite3('DELETE FROM tasks')).toThrow('FOREIGN KEY');
    expect([a?.status, b?.status, c?.status]).toEqual(['ready', 'ready', 'ready']);
  });

  it('refuses a database whose user_version is newer', async () => {
    sqlite3('PRAGMA user_version = 99');
    await expect(openTest({ root: rm.workspace.root })).rejects.toMatchObject({ code: 'SCHEMA_NEWER' });
  });

  it('moves updated_at with an edit and not with a score', async () => {
    const { id, updated_at } = await addTask(rm, { title: 'x' });
    sqlite3(`UPDATE tasks SET combined_priority = 0.7, pagerank_score = 0.1 WHERE id = '${id}'`);
    expect(sqlite3(`SELECT updated_at FROM tasks WHERE id = '${id}'`)).toBe(updated_at);
    sqlite3(`UPDATE tasks SET title = 'y' WHERE id = '${id}'`);
    expect(sqlite3(`SELECT updated_at > '${updated_at}', version FROM tasks WHERE id = '${id}'`)).toBe('1|2');
    expect(sqlite3(`SELECT updated_at FROM tasks WHERE id = '${id}'`)).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  });

  it('backup: the design document copies with .backup, and the copy is whole', async () => {
    await addTask(rm, { title: 'kept' });
    sqlite3(`.backup '${rm.workspace.filesPath}/copy.db'`);
    const { stdout } = spawnSync(PROGRAM, [`${rm.workspace.filesPath}/copy.db`, 'SELECT title FROM tasks'], {
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe('kept');
  });
});

describe('a database created with the DDL of the design document', () => {
  it('is adopted with its rows', async () => {
    const root = temporaryFolder();
    const { databasePath } = workspaceAt(root, defaultConfig);
    mkdirSync(dirname(databasePath));
    const ddl = readFileSync(join(import.meta.dirname, '../../../test/design-schema.sql'), 'utf8');
    const rows = `
      CREATE TABLE queue (task_id TEXT PRIMARY KEY REFERENCES tasks(id), priority_score REAL NOT NULL,
        ready_at DATETIME DEFAULT CURRENT_TIMESTAMP, assigned_at DATETIME, worker_id TEXT REFERENCES workers(id));
      CREATE INDEX idx_queue_priority ON queue(priority_score DESC);
      INSERT INTO projects (id, name, created_at) VALUES ('circus', 'Circus', '2026-01-26 10:30:00');
      INSERT INTO workers (id, name, type, command, status, tasks_completed) VALUES ('w1', 'w1', 'aider', 'true', 'busy', 3);
      INSERT INTO tasks (id, project_id, type, title, status) VALUES ('bd-1', 'circus', 'task', 'One', 'done');
      INSERT INTO tasks (id, project_id, type, title, status, worker_id) VALUES ('bd-2', 'circus', 'task', 'Two', 'assigned', 'w1');
      UPDATE workers SET current_task_id = 'bd-2';
      INSERT INTO dependencies (child_id, parent_id) VALUES ('bd-2', 'bd-1');
      INSERT INTO queue (task_id, priority_score, worker_id) VALUES ('bd-2', 1, 'w1');
      INSERT INTO chat_messages (project_id, role, content) VALUES ('circus', 'user', 'Hello');
      INSERT INTO summaries (project_id, message_range_start, message_range_end, summary) VALUES ('circus', 1, 1, 'Greeting');
      INSERT INTO events (event_type, entity_type, entity_id) VALUES ('task_created', 'task', 'bd-1');`;
    const { status, stderr } = spawnSync(PROGRAM, [databasePath], { input: ddl + rows, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const adopted = await openTest({ root });
    const { reader } = adopted.store;
    expect(reader.all('SELECT id, status, worker_id FROM tasks ORDER BY id')).toEqual([
      { id: 'bd-1', status: 'done', worker_id: null },
      { id: 'bd-2', status: 'ready', worker_id: null },
    ]);
    expect(reader.get('SELECT created_at FROM projects')).toEqual({ created_at: '2026-01-26T10:30:00.000Z' });
    expect(reader.all('SELECT task_id FROM queue')).toEqual([{ task_id: 'bd-2' }]);
    for (const table of ['dependencies', 'chat_messages', 'summaries', 'events']) {
      expect(reader.get(`SELECT count(*) AS n FROM ${table}`), table).toEqual({ n: 1 });
    }
    expect((await examine(adopted, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
    expect((await claimNext(adopted, { worker: 'w1' }))?.task.id).toBe('bd-2');
  });
});
