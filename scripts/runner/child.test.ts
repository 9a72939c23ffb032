import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identityOf, isAlive } from '@holdfast/base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runChild } from './child.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-child-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const shell = (script: string) => ({ program: '/bin/sh', args: ['-c', script, 'sh', join(folder, 'pid')] });

const isRunning = (pid: string): boolean => isAlive(identityOf(Number(pid)));

const isStartedRunning = () => isRunning(readFileSync(join(folder, 'pid'), 'utf8').trim());

/** Searches all processes, because the shell may have ended before it printed its pid. */
const isShellRunning = () =>
  readdirSync('/proc').some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder) && isRunning(pid);
    } catch {
      return false;
    }
  });

describe('runChild', () => {
  it('tells the exit code', async () => {
    expect(await runChild(shell('exit 0'), 10_000)).toEqual({ exitCode: 0 });
    expect(await runChild(shell('exit 3'), 10_000)).toEqual({ exitCode: 3 });
  });

  it('fails, and does not throw, when there is no such program', async () => {
    const result = await runChild({ program: join(folder, 'none'), args: [] }, 10_000);
    expect(result).toMatchObject({ exitCode: 1, problem: expect.stringContaining('ENOENT') });
  });

  it('ends what the command left running', async () => {
    await runChild(shell('sleep 60 & echo $! > "$1"'), 10_000);
    await expect.poll(isStartedRunning).toBe(false);
  });

  it('ends a command that takes too long, also one that ignores the polite request', async () => {
    const result = await runChild(shell(`trap '' TERM; while :; do sleep 1; done`), 300);
    expect(result.problem).toMatch(/took longer/);
    expect(result.exitCode).not.toBe(0);
    await expect.poll(isShellRunning).toBe(false);
  });
});
