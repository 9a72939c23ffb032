import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { DAY, HOUR } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { openWithProject, temporaryFolder, testClock } from '../../test/harness.ts';
import { defaultConfig } from '../model/config.ts';
import { listMessages } from '../store/chat.ts';
import { listEvents } from '../store/events.ts';
import { existingTask } from '../store/tasks.ts';
import { backup, cleanUp, listBackups, recordProjectFiles, verifyBackups } from './backup.ts';
import { addMessage, addSummary } from './chat.ts';
import { examine } from './doctor.ts';
import { addDependency } from './graph.ts';
import { maintainOnce } from './maintenance.ts';
import { claim, report } from './queue.ts';
import { restoreAt, restoreFrom, settleFiles, undo } from './restore.ts';
import { openRingmaster, type Ringmaster } from './ringmaster.ts';
import { maintainWhileRunning } from './run/maintenance.ts';
import { addTask, editTask } from './tasks.ts';

const tables = [
  'projects',
  'tasks',
  'dependencies',
  'workers',
  'attempts',
  'chat_messages',
  'summaries',
  'files',
  'inquiries',
];

/** Returns all data except events: the rows of the tables, and the content of every file. */
function picture({ store, workspace }: Ringmaster): unknown {
  const rows = Object.fromEntries(
    tables.map((name) => [name, store.reader.all(`SELECT * FROM ${name} ORDER BY 1, 2`)]),
  );
  const files: Record<string, string> = {};
  const visit = (folder: string): void => {
    for (const entry of existsSync(join(workspace.filesPath, folder))
      ? readdirSync(join(workspace.filesPath, folder), { withFileTypes: true })
      : []) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) files[path] = readFileSync(join(workspace.filesPath, path), 'latin1');
    }
  };
  for (const folder of ['media', 'tasks', 'projects']) visit(folder);
  return { rows, files };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Makes a different change for each `n`, some with files and some without. */
async function change(rm: Ringmaster, n: number): Promise<void> {
  const id = `bd-${n}`;
  if (n % 5 === 0)
    await addMessage(rm, { role: 'user', content: `m${n}`, media: { bytes: bytes(`sound ${n}`), name: 'a.wav' } });
  else if (n % 5 === 1) await addTask(rm, { id, title: `T${n}` });
  else if (n % 5 === 2) await editTask(rm, { task: `bd-${n - 1}`, title: `Edited ${n}`, priority: 'P0' });
  else if (n % 5 === 3) await claim(rm, { worker: 'w1' });
  else {
    const { id: token } = rm.store.reader.get<{ id: number }>('SELECT max(id) AS id FROM attempts')!;
    await report(rm, { token, status: 'completed', output: `output ${n}` });
  }
}

describe('restore --at', () => {
  it('brings back each of 50 commits exactly, files included', { timeout: 180_000 }, async () => {
    const clock = testClock();
    const rm = await openWithProject({ clock });
    const pictures = new Map<number, unknown>();
    const moments = new Map<number, string>();
    for (let n = 0; n < 50; n++) {
      clock.advance(1_000);
      await change(rm, n);
      if (n === 44) await addSummary(rm, { text: 'so far' });
      pictures.set(rm.store.database.revision(), picture(rm));
      moments.set(rm.store.database.revision(), new Date(clock.now()).toISOString());
    }
    expect(pictures.size).toBe(50);
    // Ends running attempts, because a restore is refused while an attempt runs.
    clock.advance(DAY);
    for (const revision of [...pictures.keys()].reverse()) {
      const at = revision % 2 === 0 ? String(revision) : moments.get(revision)!;
      const { files } = await restoreAt(rm, at);
      expect(files.missing).toEqual([]);
      expect(picture(rm), `revision ${revision}`).toEqual(pictures.get(revision));
    }
    expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('forgets nothing of what happened: the log goes on', async () => {
    const rm = await openWithProject();
    const log = (): string[] => listEvents(rm.store.reader, { limit: 100 }).map(({ event_type }) => event_type);
    const start = rm.store.database.revision();
    await addTask(rm, { id: 'a', title: 'A' });
    await editTask(rm, { task: 'a', title: 'B' });
    const before = log();
    const { undo_with } = await restoreAt(rm, String(start));
    expect(rm.store.reader.all('SELECT id FROM tasks')).toEqual([]);
    expect(log()).toEqual([...before, 'restored']);
    await restoreAt(rm, String(undo_with));
    expect(existingTask(rm.store.reader, 'a').title).toBe('B');
    expect(log()).toEqual([...before, 'restored', 'restored']);
    const ids = listEvents(rm.store.reader, { limit: 100 }).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((left, right) => left - right));
  });

  it('refuses while a worker holds a task', async () => {
    const rm = await openWithProject();
    await addTask(rm, { title: 'A' });
    await claim(rm, { worker: 'w1' });
    await expect(restoreAt(rm, '3')).rejects.toMatchObject({ code: 'TASK_RUNNING' });
    await expect(restoreAt(rm, 'noon')).rejects.toMatchObject({ code: 'TASK_RUNNING' });
  });
});

describe('backup', () => {
  it('is taken by maintenance every hour, is checked, and comes back with its files', async () => {
    const clock = testClock(Date.now() - HOUR);
    const rm = await openWithProject({ clock });
    await addMessage(rm, { role: 'user', content: 'x', media: { bytes: bytes('picture'), name: 'x.png' } });
    expect(await maintainOnce(rm)).toEqual([expect.stringContaining('ranked'), expect.stringContaining('backed up')]);
    expect(await maintainOnce(rm)).toEqual([]);
    const [first] = listBackups(rm);
    const { media_path } = listMessages(rm.store.reader, { project: 'circus', limit: 1 })[0]!;
    writeFileSync(join(rm.workspace.filesPath, media_path!), 'damage');
    expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toHaveLength(1);
    await addTask(rm, { id: 'late', title: 'After the backup' });
    expect(await verifyBackups(rm)).toMatchObject([{ problem: null }]);
    expect(await verifyBackups(rm)).toMatchObject([{ problem: null }]);
    await expect(restoreFrom(rm.workspace, first!.path, undefined)).rejects.toMatchObject({ code: 'STORE_IN_USE' });
    await rm.store.close();
    const { kept } = await restoreFrom(rm.workspace, first!.path, undefined);
    expect(kept).toBeDefined();
    const again = await openRingmaster({ ...rm, workspace: rm.workspace });
    expect(settleFiles(again)).toMatchObject({ restored: [media_path], missing: [] });
    expect(again.store.reader.all('SELECT id FROM tasks')).toEqual([]);
    expect((await examine(again, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
    await again.store.close();
  });

  it('never overwrites one of the same minute, and thins out by age', async () => {
    const clock = testClock();
    const rm = await openWithProject({ clock });
    const one = await backup(rm);
    const two = await backup(rm);
    expect(one.path).toMatch(/ringmaster_20261115_1000\.db$/);
    expect(two.path).not.toBe(one.path);
    clock.advance(2 * DAY);
    const { path: three, deleted } = await backup(rm);
    expect(deleted).toEqual([one.path]);
    expect(listBackups(rm).map(({ path }) => path)).toEqual([two.path, three]);
  });
});

describe('files that people write', () => {
  const write = (rm: Ringmaster, path: string, text: string): void => {
    const file = join(rm.workspace.filesPath, 'projects', 'circus', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const read = (rm: Ringmaster, path: string): string | undefined => {
    const file = join(rm.workspace.filesPath, 'projects', 'circus', path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  const aside = (rm: Ringmaster): string[] => {
    const folder = join(rm.workspace.filesPath, 'backups', 'aside');
    if (!existsSync(folder)) return [];
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return found.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).sort();
  };

  it('come back as they were at a moment, and what they were since can be had again', async () => {
    const rm = await openWithProject();
    write(rm, 'conventions.md', 'tabs');
    write(rm, 'context/adrs/001.md', 'we use SQLite');
    expect(await recordProjectFiles(rm)).toMatchObject({ changed: [expect.anything(), expect.anything()] });
    expect(await recordProjectFiles(rm)).toEqual({ changed: [], removed: [] });
    const then = rm.store.database.revision();
    write(rm, 'conventions.md', 'spaces');
    write(rm, 'context/libs/zod.md', 'schemas');
    rmSync(join(rm.workspace.filesPath, 'projects/circus/context/adrs/001.md'));
    // ringmaster has not recorded these changes yet, so `restoreAt` records them first.
    const { undo_with, files } = await restoreAt(rm, String(then));
    expect(files).toMatchObject({ missing: [], moved_aside: ['projects/circus/context/libs/zod.md'] });
    expect(files.restored).toHaveLength(2);
    const contents = (): unknown[] =>
      ['conventions.md', 'context/adrs/001.md', 'context/libs/zod.md'].map((path) => read(rm, path));
    expect(contents()).toEqual(['tabs', 'we use SQLite', undefined]);
    expect(aside(rm)).toEqual(['schemas', 'spaces']);
    await restoreAt(rm, String(undo_with));
    expect(contents()).toEqual(['spaces', undefined, 'schemas']);
    expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('are part of a backup, and what was written after it is put aside, not lost', async () => {
    const rm = await openWithProject();
    write(rm, 'project.md', 'a circus');
    const { path } = await backup(rm);
    expect(await verifyBackups(rm)).toEqual([{ path, problem: null }]);
    await rm.store.close();
    write(rm, 'project.md', 'a zoo');
    write(rm, 'context/examples/lion.ts', 'roar()');
    await restoreFrom(rm.workspace, path, undefined);
    const again = await openRingmaster({ ...rm, workspace: rm.workspace });
    settleFiles(again);
    expect(read(again, 'project.md')).toBe('a circus');
    expect(read(again, 'context/examples/lion.ts')).toBeUndefined();
    expect(aside(again)).toEqual(['a zoo', 'roar()']);
    await again.store.close();
  });

  it('are neither followed through links nor undone as if a person had done something else', async () => {
    const rm = await openWithProject();
    const secret = join(temporaryFolder(), 'secret');
    writeFileSync(secret, 'secret');
    mkdirSync(join(rm.workspace.filesPath, 'projects/circus/context'), { recursive: true });
    symlinkSync(secret, join(rm.workspace.filesPath, 'projects/circus/context/link.md'));
    expect(await recordProjectFiles(rm)).toEqual({ changed: [], removed: [] });
    const { id } = await addTask(rm, { title: 'A' });
    write(rm, 'project.md', 'x');
    await recordProjectFiles(rm);
    expect((await undo(rm)).note).toContain(`task add`);
    expect(() => existingTask(rm.store.reader, id)).toThrow('There is no task');
    expect(read(rm, 'project.md')).toBe('x');
  });
});

describe('cleanup', () => {
  it('archives old tasks and deletes old logs; what depends on them still works and nothing dangles', async () => {
    const clock = testClock();
    const rm = await openWithProject({ clock, config: { queue: { ...defaultConfig.queue, lease_seconds: 0.1 } } });
    const { id } = await addTask(rm, { title: 'A' });
    const waits = await addTask(rm, { title: 'B', depends_on: [id] });
    const { attempt } = (await claim(rm, { worker: 'w1' }))!;
    await report(rm, { token: attempt.id, status: 'completed', output: 'log' });
    const log = join(rm.workspace.filesPath, 'tasks', id, 'iterations', '001.log');
    const before = rm.store.database.revision();
    expect(readFileSync(join(rm.workspace.filesPath, 'tasks', id, 'output.log'), 'utf8')).toBe('log');
    clock.advance(8 * DAY);
    const said: string[] = [];
    const maintenance = await maintainWhileRunning(rm, process.pid, ({ text }) => said.push(text));
    await expect.poll(() => said).toContain('archived 0 tasks, deleted 1 logs and 0 events');
    await maintenance.stop();
    expect(existsSync(log)).toBe(false);
    expect(existingTask(rm.store.reader, id)).toMatchObject({ output_path: null });
    clock.advance(31 * DAY);
    expect(await cleanUp(rm)).toMatchObject({ archived: 1, logs: 0 });
    expect((await claim(rm, { worker: 'w1' }))?.task.id).toBe(waits.id);
    expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
    clock.advance(400 * DAY);
    expect(await cleanUp(rm)).toMatchObject({ events: expect.any(Number) as number });
    expect(rm.store.reader.all(`SELECT id FROM events WHERE event_type = 'task_created'`)).toEqual([]);
    expect(before).toBeGreaterThan(0);
  });
});

describe('undo', () => {
  it('takes back one change after the other, as new commits, and not what a worker did', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'A' });
    const other = await addTask(rm, { title: 'B' });
    await addDependency(rm, { task: other.id, depends_on: id });
    await editTask(rm, { task: id, title: 'Changed' });
    expect((await undo(rm)).note).toBe(`task edit ${id}`);
    expect(existingTask(rm.store.reader, id).title).toBe('A');
    await editTask(rm, { task: id, status: 'done' });
    expect((await undo(rm)).note).toBe(`task done ${id}`);
    await undo(rm);
    expect(rm.store.reader.all('SELECT * FROM dependencies')).toEqual([]);
    await undo(rm);
    expect(() => existingTask(rm.store.reader, other.id)).toThrow('There is no task');
    await claim(rm, { worker: 'w1' });
    await expect(undo(rm)).rejects.toMatchObject({ code: 'UNDO_OVERTAKEN' });
    expect(rm.store.reader.all(`SELECT id FROM events WHERE event_type = 'undo_performed'`)).toHaveLength(4);
  });
});

describe('chat and summaries', () => {
  it('keep media by content, and ranges that never overlap or mix', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'A' });
    const one = await addMessage(rm, {
      role: 'user',
      content: 'one',
      media: { bytes: bytes('same'), name: '../../x.PNG' },
    });
    const two = await addMessage(rm, {
      role: 'assistant',
      content: 'two',
      task: id,
      media: { bytes: bytes('same'), name: 'y.png' },
    });
    expect(two.media_path).toBe(one.media_path);
    expect(one.media_path).toMatch(/^media\/[0-9a-f]{2}\/[0-9a-f]{64}\.png$/);
    await expect(
      addMessage(rm, { role: 'user', content: '', media: { bytes: bytes('x'), name: 'x.exe' } }),
    ).rejects.toMatchObject({ code: 'TEXT_INVALID' });
    const about = await addSummary(rm, { task: id, text: 'task' });
    expect(about).toMatchObject({ message_range_start: two.id, message_range_end: two.id, task_id: id });
    const first = await addSummary(rm, { text: 'all', decisions: ['yes'] });
    expect([first.message_range_start, first.message_range_end]).toEqual([one.id, two.id]);
    await expect(addSummary(rm, { text: 'again' })).rejects.toMatchObject({ code: 'RANGE_INVALID' });
    await expect(addSummary(rm, { text: 'again', from: two.id })).rejects.toMatchObject({ code: 'RANGE_INVALID' });
    await addMessage(rm, { role: 'user', content: 'three' });
    expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
    const by = (...command: string[]) => ({ ...rm, config: { ...rm.config, summaries: { command } } });
    await expect(addSummary(by('yes'), {})).rejects.toThrow('prints more than');
    await expect(addSummary(by('no-such-program'), {})).rejects.toMatchObject({ code: 'TEXT_INVALID' });
    expect((await addSummary(by('tr', 'a-z', 'A-Z'), {})).summary).toMatch(/USER: THREE$/);
  });

  it('of a task and of its project may begin with the same message', async () => {
    const rm = await openWithProject();
    const { id } = await addTask(rm, { title: 'A' });
    await addMessage(rm, { role: 'user', content: 'one', task: id });
    await addSummary(rm, { task: id, text: 'of the task' });
    await addSummary(rm, { text: 'of the project' });
    expect((await examine(rm, { repair: false })).flatMap(({ problems }) => problems)).toEqual([]);
    const names = readdirSync(join(rm.workspace.filesPath, 'projects/circus/history/summaries')).sort();
    expect(names).toEqual([`000001-${id}.md`, '000001.md']);
    expect(settleFiles(rm)).toEqual({ restored: [], moved_aside: [], missing: [] });
  });
});
