import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CommitRequest } from '@holdfast/keyspace';
import { expect, it, onTestFinished, vi } from 'vitest';

import { TestServer, user } from '../test/server.ts';
import { postgresEngine } from './engine.ts';

const isRoot = process.getuid?.() === 0;
const DISK = '160m';

const write = (key: string): CommitRequest => ({
  base: undefined,
  reads: new Map(),
  ranges: [],
  // PostgreSQL cannot compress random bytes.
  writes: new Map([[key, randomBytes(1_000_000)]]),
  appends: [],
  additions: [],
});

interface Failure {
  readonly code?: string;
  readonly details?: { readonly commit: string };
}

/** A small disk, with a file that can be deleted to make room. */
function smallDisk(): { readonly folder: string; readonly spare: string } {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  chmodSync(folder, 0o777);
  const spare = join(folder, 'spare');
  writeFileSync(spare, Buffer.alloc(40 * 1_024 * 1_024));
  return { folder, spare };
}

/** Starts a server whose process has ended again, with the same data. */
function startAgain({ folder, port }: TestServer): void {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
  const args = ['-D', folder, ...settings.flatMap((setting) => ['-c', setting])];
  const child = spawn('postgres', args, { ...user, cwd: folder, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGQUIT'));
}

function isRunning({ folder }: TestServer): boolean {
  try {
    return process.kill(Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]), 0);
  } catch {
    return false;
  }
}

it.runIf(isRoot)('a replication slot that fills the disk loses no acknowledged commit', async () => {
  const { folder, spare } = smallDisk();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await TestServer.start(['wal_keep_size=0', 'max_wal_size=32MB', 'min_wal_size=32MB']);
  onTestFinished(() => server.stop());
  // The standby of this slot never connects, so the server keeps all of its log.
  await server.run(`SELECT pg_create_physical_replication_slot('gone', true)`);
  const patience = { totalMs: 3_000, answerMs: 2_000, connectMs: 1_000 };
  const engine = await postgresEngine({ address: server.address(), space: 'full', patience });
  onTestFinished(() => engine.close());
  const acknowledged: string[] = [];
  const failure = await (async (): Promise<Failure | undefined> => {
    for (let n = 0; n < 200; n++) {
      try {
        await engine.commit(write(`k${n}`));
      } catch (error) {
        return error as Failure;
      }
      acknowledged.push(`k${n}`);
    }
    return undefined;
  })();
  expect(acknowledged.length).toBeGreaterThan(5);
  expect(['STORE_FULL', 'STORE_UNREACHABLE', 'STORE_IN_DOUBT']).toContain(failure?.code);

  // An operator makes room, starts the server and drops the slot.
  rmSync(spare);
  if (!isRunning(server)) startAgain(server);
  // A full disk can crash the server more than once, so it may still be in recovery after the first answer.
  const dropSlot = async () =>
    await server.run(`SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots`).then(() => 'dropped');
  await expect.poll(dropSlot, { timeout: 60_000, interval: 500 }).toBe('dropped');
  await expect.poll(() => engine.revision(), { timeout: 60_000, interval: 500 }).toBeGreaterThan(0);
  const fate = failure?.details === undefined ? undefined : await engine.findCommit?.(failure.details.commit);
  const expected = [...acknowledged, ...(fate === undefined ? [] : [`k${acknowledged.length}`])];
  const found = await engine.range({ gte: 'k', lt: 'l', limit: 9_999, reverse: false });
  expect(found.map(([key]) => key).toSorted()).toEqual(expected.toSorted());
  expect(await engine.commit(write('after'))).toEqual({ conflict: false, revision: expected.length + 1 });
});
