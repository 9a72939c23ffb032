import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import { delay } from './time.ts';
import { identityOf, isAlive, isGroupAlive, isWorking, procTable, psTable } from './process-identity.ts';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

async function start(script: string): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  children.push(child);
  await once(child, 'spawn');
  return child as ChildProcess & { readonly pid: number };
}

/** The shell replaces itself with a program that never reaps its child, so the child stays a zombie. */
async function startZombie(): Promise<number> {
  const child = await start('sleep 0.2 & echo $!; exec sleep 60');
  const [text] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return Number(text.toString());
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isTrue(); tries++) await delay(10);
  expect(isTrue()).toBe(true);
}

describe.each([
  ['/proc', procTable],
  ['ps', psTable],
])('processes as %s shows them', (_, table) => {
  it('a running process is alive and working', async () => {
    const { pid } = await start('exec sleep 60');
    const identity = identityOf(pid, table);
    expect(identity.start).toMatch(/\d/);
    expect([isAlive(identity, table), isWorking(identity, table)]).toEqual([true, true]);
  });

  it('a stopped process is alive but not working', async () => {
    const child = await start('exec sleep 60');
    const identity = identityOf(child.pid, table);
    child.kill('SIGSTOP');
    await until(() => !isWorking(identity, table));
    expect(isAlive(identity, table)).toBe(true);
  });

  it('a process that has ended is dead', async () => {
    const child = await start('exec sleep 60');
    const identity = identityOf(child.pid, table);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(identity, table)).toBe(false);
    expect(identityOf(child.pid, table).start).toBeNull();
  });

  it('a zombie is dead', async () => {
    const pid = await startZombie();
    await until(() => table.find(pid)?.state === 'Z');
    const identity = identityOf(pid, table);
    expect([isAlive(identity, table), isWorking(identity, table)]).toEqual([false, false]);
  });

  it('another process with the same number is somebody else', () => {
    const identity = identityOf(process.pid, table);
    expect(isAlive({ ...identity, start: '1' }, table)).toBe(false);
    expect(isAlive({ ...identity, boot: 'before the reboot' }, table)).toBe(false);
  });

  it('a group lives as long as one of its members', async () => {
    const child = await start('sleep 60 & echo started; exec sleep 60');
    await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isGroupAlive(child.pid, table)).toBe(true);
    process.kill(-child.pid, 'SIGKILL');
    await until(() => !isGroupAlive(child.pid, table));
  });
});

it('a `ps` that fails does not make a living process dead', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-ps-'));
  writeFileSync(join(folder, 'ps'), '#!/bin/sh\necho "no /proc" >&2\nexit 1\n', { mode: 0o755 });
  const path = process.env['PATH'];
  onTestFinished(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true });
  });
  const identity = identityOf(process.pid, psTable);
  process.env['PATH'] = folder;
  expect(() => isAlive(identity, psTable)).toThrow('ps failed: no /proc');
});
