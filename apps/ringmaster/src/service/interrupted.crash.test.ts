import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DAY } from '@holdfast/base';
import { describe, expect, it } from 'vitest';

import { openWithProject, testClock } from '../../test/harness.ts';
import { startArmed, startProgram } from '../../test/process.ts';
import { listEvents } from '../store/events.ts';
import { existingTask } from '../store/tasks.ts';
import { listBackups, verifyBackups } from './backup.ts';
import { addMessage } from './chat.ts';
import { examine } from './doctor.ts';
import { claim, report } from './queue.ts';
import type { Ringmaster } from './ringmaster.ts';
import { addTask } from './tasks.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Runs a step that is killed at the failpoint, then runs it again undisturbed. */
async function killedAt(failpoint: string, rm: Ringmaster, ...words: string[]): Promise<void> {
  const { process: child, ended } = startArmed(failpoint, 'step', rm.workspace.root, String(rm.clock()), ...words);
  await ended;
  expect(child.signalCode).toBe('SIGKILL');
}

async function undisturbed(rm: Ringmaster, ...words: string[]): Promise<void> {
  const { process: child, ended, lines } = startProgram('step', rm.workspace.root, String(rm.clock()), ...words);
  await ended;
  expect([child.exitCode, lines]).toEqual([0, ['done']]);
}

async function soundness(rm: Ringmaster): Promise<readonly string[]> {
  return (await examine(rm, { repair: false })).flatMap(({ problems }) => problems);
}

async function claimed(rm: Ringmaster, title: string): Promise<{ readonly id: string; readonly token: number }> {
  const { id } = await addTask(rm, { title });
  const { attempt } = (await claim(rm, { worker: 'w1' }))!;
  return { id, token: attempt.id };
}

const fileOf = (rm: Ringmaster, path: string): string => join(rm.workspace.filesPath, path);

describe('killed between the files and the rows', () => {
  it('a report is not made, and can be made again with the same token', async () => {
    const rm = await openWithProject();
    const { id, token } = await claimed(rm, 'A');
    await killedAt('ringmaster.report.file', rm, 'report', String(token));
    expect(existingTask(rm.store.reader, id)).toMatchObject({ status: 'assigned', output_path: null });
    expect(rm.store.reader.all('SELECT path FROM files')).toEqual([]);
    expect(await soundness(rm)).toEqual([]);
    await undisturbed(rm, 'report', String(token));
    expect(existingTask(rm.store.reader, id).status).toBe('done');
    expect(readFileSync(fileOf(rm, `tasks/${id}/output.log`), 'utf8')).toBe('the output');
    expect(readdirSync(fileOf(rm, `tasks/${id}/iterations`)).sort()).toEqual(['001.log', 'metadata.json']);
    expect(await soundness(rm)).toEqual([]);
  });

  it('a backup is none, and the next one is whole', async () => {
    const rm = await openWithProject({ clock: testClock() });
    await addMessage(rm, { role: 'user', content: 'x', media: { bytes: bytes('picture'), name: 'x.png' } });
    await killedAt('ringmaster.backup.files', rm, 'backup');
    expect(listBackups(rm)).toEqual([]);
    expect(await soundness(rm)).toEqual([]);
    await undisturbed(rm, 'backup');
    expect(listBackups(rm)).toHaveLength(1);
    expect(await verifyBackups(rm)).toMatchObject([{ problem: null }]);
  });

  it('a backup that has claimed its name is none, and the next one is whole', async () => {
    const rm = await openWithProject({ clock: testClock() });
    for (const step of ['backup.copied', 'backup.described']) await killedAt(step, rm, 'backup');
    expect(listBackups(rm)).toEqual([]);
    await undisturbed(rm, 'backup');
    expect(await verifyBackups(rm)).toMatchObject([{ problem: null }]);
  });

  it('a restore has its rows; the files follow when it is repeated, or by repair', async () => {
    const clock = testClock();
    const rm = await openWithProject({ clock });
    const { id, token } = await claimed(rm, 'A');
    await report(rm, { token, status: 'completed', output: 'first' });
    const then = rm.store.database.revision();
    const later = await claimed(rm, 'B');
    await report(rm, { token: later.token, status: 'completed', output: 'second' });
    clock.advance(DAY);
    const log = listEvents(rm.store.reader, { limit: 1_000 });
    await killedAt('ringmaster.restore.rows', rm, 'restore', String(then));
    expect(existingTask(rm.store.reader, id).status).toBe('done');
    expect(() => existingTask(rm.store.reader, later.id)).toThrow('There is no task');
    // The file of a removed task is left over: nothing refers to it, and the state is complete.
    expect(await soundness(rm)).toEqual([]);
    expect(existsSync(fileOf(rm, `tasks/${later.id}/iterations/001.log`))).toBe(true);
    await examine(rm, { repair: true });
    expect(existsSync(fileOf(rm, `tasks/${later.id}/iterations/001.log`))).toBe(false);
    expect(listEvents(rm.store.reader, { limit: 1_000 })).toEqual(log);
    await undisturbed(rm, 'restore', String(then));
    expect(existsSync(fileOf(rm, `tasks/${id}/iterations/001.log`))).toBe(true);
    expect(await soundness(rm)).toEqual([]);
  });

  it('a cleanup has deleted nothing that is referred to, and the next one deletes what was left', async () => {
    const clock = testClock();
    const rm = await openWithProject({ clock });
    const { id, token } = await claimed(rm, 'A');
    await report(rm, { token, status: 'completed', output: 'old' });
    clock.advance(8 * DAY);
    await killedAt('ringmaster.cleanup.rows', rm, 'cleanup');
    expect(existingTask(rm.store.reader, id).output_path).toBeNull();
    expect(await soundness(rm)).toEqual([]);
    expect(existsSync(fileOf(rm, `tasks/${id}/iterations/001.log`))).toBe(true);
    await undisturbed(rm, 'cleanup');
    expect(existsSync(fileOf(rm, `tasks/${id}/iterations/001.log`))).toBe(false);
    expect(existsSync(fileOf(rm, `tasks/${id}/output.log`))).toBe(false);
    expect(await soundness(rm)).toEqual([]);
  });
});
