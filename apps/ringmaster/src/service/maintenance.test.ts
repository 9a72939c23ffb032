import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { HOUR, MINUTE } from '@holdfast/base';
import { expect, it, vi } from 'vitest';

import { openTest, openWithProject, testClock } from '../../test/harness.ts';
import { startProgram } from '../../test/process.ts';
import { maintenanceOwner } from '../store/meta.ts';
import { existingTask } from '../store/tasks.ts';
import { listBackups } from './backup.ts';
import { importBeads } from './beads.ts';
import { examine } from './doctor.ts';
import { runMaintenance } from './maintenance.ts';
import { claim } from './queue.ts';
import { ranksAreStale } from './rank.ts';
import type { Ringmaster } from './ringmaster.ts';
import { followEvents } from './status.ts';
import { addTask, showTask } from './tasks.ts';

const patient = { timeout: 20_000, interval: 10 };

/** Maintenance with short rounds, its messages so far, and a function that stops it. */
function maintaining(rm: Ringmaster) {
  const stop = new AbortController();
  const steps: string[] = [];
  const ended = runMaintenance(rm, {
    signal: stop.signal,
    pid: process.pid,
    roundMs: 5,
    onStep: (text) => steps.push(text),
  });
  return { steps, stop: () => stop.abort(), ended };
}

it('maintenance reclaims, ranks and backs up until it is told to stop', async () => {
  const clock = testClock(Date.now());
  const rm = await openWithProject({ clock });
  const { id } = await addTask(rm, { title: 'A' });
  await claim(rm, { worker: 'w1' });
  const { steps, stop, ended } = maintaining(rm);
  await vi.waitFor(() => expect(listBackups(rm)).toHaveLength(1), patient);
  expect(ranksAreStale(rm)).toBe(false);
  expect(maintenanceOwner(rm.store.reader)?.pid).toBe(process.pid);
  clock.advance(2 * HOUR);
  await vi.waitFor(() => expect(existingTask(rm.store.reader, id).status).toBe('ready'), patient);
  await vi.waitFor(() => expect(listBackups(rm).length).toBeGreaterThan(1), patient);
  await addTask(rm, { title: 'B' });
  await vi.waitFor(() => expect(ranksAreStale(rm)).toBe(false), patient);
  stop();
  await ended;
  expect(maintenanceOwner(rm.store.reader)).toBeUndefined();
  expect(steps).toContain(`reclaimed ${id}`);
  expect(steps).toContain(`backed up to ${listBackups(rm)[0]?.path}`);
});

it('a duty that fails is told, does not stop the others, and is tried again later', async () => {
  const clock = testClock();
  const rm = await openWithProject({ clock });
  // A file with the folder's name makes backups fail.
  writeFileSync(join(rm.workspace.filesPath, 'backups'), 'in the way');
  const { steps, stop, ended } = maintaining(rm);
  await vi.waitFor(() => expect(steps.some((step) => step.startsWith('could not back up'))).toBe(true), patient);
  const { id } = await addTask(rm, { title: 'A' });
  await claim(rm, { worker: 'w1' });
  clock.advance(30_000);
  await vi.waitFor(() => expect(ranksAreStale(rm)).toBe(false), patient);
  rmSync(join(rm.workspace.filesPath, 'backups'));
  expect(listBackups(rm)).toEqual([]);
  clock.advance(10 * MINUTE);
  await vi.waitFor(() => expect(listBackups(rm)).toHaveLength(1), patient);
  await vi.waitFor(() => expect(existingTask(rm.store.reader, id).status).toBe('ready'), patient);
  stop();
  await ended;
  expect(steps.filter((step) => step.startsWith('could not back up'))).toHaveLength(1);
});

it('one process maintains a database; one that was killed is replaced', async () => {
  const rm = await openWithProject();
  const other = startProgram('maintainer', rm.workspace.root);
  await other.said('maintaining');
  await expect(maintaining(rm).ended).rejects.toMatchObject({ code: 'MAINTENANCE_RUNNING' });
  other.process.kill('SIGKILL');
  await other.ended;
  const { stop, ended } = maintaining(rm);
  await vi.waitFor(() => expect(maintenanceOwner(rm.store.reader)?.pid).toBe(process.pid), patient);
  stop();
  await ended;
});

it('an import makes the ranks stale once, and maintenance ranks the new tasks', async () => {
  const rm = await openWithProject();
  await addTask(rm, { id: 'bd-0', title: 'Here' });
  const lines = Array.from({ length: 20 }, (_, n) =>
    JSON.stringify({
      id: `bd-${n + 1}`,
      title: `T${n}`,
      status: 'open',
      priority: 4,
      dependencies: [{ depends_on_id: `bd-${n}`, type: 'blocks' }],
    }),
  );
  const { stop, ended } = maintaining(rm);
  await vi.waitFor(() => expect(ranksAreStale(rm)).toBe(false), patient);
  stop();
  await ended;
  const before = existingTask(rm.store.reader, 'bd-0').combined_priority;
  await importBeads(rm, { content: lines.join('\n'), source: 'test' });
  expect(ranksAreStale(rm)).toBe(true);
  const second = maintaining(rm);
  await vi.waitFor(() => expect(ranksAreStale(rm)).toBe(false), patient);
  second.stop();
  await second.ended;
  expect(existingTask(rm.store.reader, 'bd-0').combined_priority).toBeGreaterThan(before);
  expect(await importBeads(rm, { content: lines.join('\n'), source: 'again' })).toMatchObject({ unchanged: 20 });
  expect(ranksAreStale(rm)).toBe(false);
});

it('events are followed across processes, each once and in order, from where one left off', async () => {
  const rm = await openWithProject();
  const other = await openTest({ root: rm.workspace.root });
  const stop = new AbortController();
  const seen: { readonly id: number; readonly entity_id: string }[] = [];
  const reading = (async () => {
    for await (const event of followEvents(other, { type: 'task_created', since: 0 }, stop.signal)) seen.push(event);
  })();
  for (let n = 0; n < 30; n++) await addTask(n % 2 === 0 ? rm : other, { id: `t${n}`, title: `T${n}` });
  await vi.waitFor(() => expect(seen).toHaveLength(30), patient);
  stop.abort();
  await reading;
  expect(seen.map(({ entity_id }) => entity_id)).toEqual(Array.from({ length: 30 }, (_, n) => `t${n}`));
  const rest = new AbortController();
  const later: number[] = [];
  for await (const event of followEvents(rm, { type: 'task_created', since: seen[27]!.id }, rest.signal)) {
    later.push(event.id);
    if (later.length === 2) rest.abort();
  }
  expect(later).toEqual(seen.slice(28).map(({ id }) => id));
});

it('doctor names rows that changed without the journal, and restores them; other rows stay readable', async () => {
  const rm = await openWithProject();
  await addTask(rm, { id: 'a', title: 'A', capabilities: ['code'] });
  await addTask(rm, { id: 'b', title: 'B' });
  rm.store.reader.exec("UPDATE tasks SET required_capabilities = '{', title = 'X' WHERE id = 'a'");
  expect(() => showTask(rm, { task: 'a' })).toThrow(expect.objectContaining({ code: 'VALUE_UNREADABLE' }));
  expect(showTask(rm, { task: 'b' }).task.title).toBe('B');
  const journal = async (repair: boolean) =>
    (await examine(rm, { repair })).find(({ check }) => check === 'journal')?.problems;
  expect(await journal(false)).toEqual(['tasks a: changed without a journal entry']);
  expect(await journal(true)).toEqual([]);
  expect(showTask(rm, { task: 'a' }).task).toMatchObject({ title: 'A', capabilities: ['code'] });
});
