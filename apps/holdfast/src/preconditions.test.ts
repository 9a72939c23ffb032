import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DAY, MEBIBYTE } from '@holdfast/base';
import { describe, expect, it, onTestFinished } from 'vitest';

import {
  checkClock,
  checkDescriptors,
  checkFileSystem,
  checkPreconditions,
  checkSpace,
  checkSqlite,
  checkWatches,
} from './preconditions.ts';

const mounts = `27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 27 0:40 / /mnt/share rw - nfs4 server:/x rw,vers=4.2
31 27 0:41 / /mnt/share\\040two rw - fuse.sshfs host: rw
32 27 0:42 / /tmp rw,nosuid - tmpfs tmpfs rw
33 27 8:1 / /old rw,relatime - ext4 /dev/sda1 rw,nobarrier
34 27 8:2 / /frozen ro,relatime - xfs /dev/sda2 rw
`;

describe('file system', () => {
  it.each([
    ['/home/ada/.holdfast', 'ok', 'ext4 at /'],
    ['/mnt/share/holdfast', 'problem', 'nfs4 at /mnt/share: file locks'],
    ['/mnt/share two/holdfast', 'problem', 'fuse.sshfs at /mnt/share two: file locks'],
    ['/mnt/shared', 'ok', 'ext4 at /'],
    ['/tmp/home', 'warning', 'tmpfs at /tmp is in memory'],
    ['/old/home', 'warning', 'mounted with nobarrier'],
    ['/frozen/home', 'problem', 'mounted read-only'],
  ])('%s: %s', (folder, status, reason) => {
    const check = checkFileSystem(folder, mounts);
    expect(check).toMatchObject({ status, reason: expect.stringContaining(reason) });
    expect(check.action === null).toBe(status === 'ok');
  });

  it('is not checked where the system lists no mounts', () => {
    expect(checkFileSystem('/home', '')).toMatchObject({ status: 'ok', reason: 'not checked on this system' });
  });
});

describe('clock', () => {
  const now = Date.UTC(2027, 0, 1);
  it.each([
    ['at the last commit', now, now, 'ok'],
    ['a day before the last commit', now, now + DAY, 'problem'],
    ['in 1970', 0, 0, 'problem'],
  ])('%s', (_, at, newest, status) => {
    expect(checkClock(at, newest).status).toBe(status);
  });
});

it('warns of a SQLite version that can corrupt a database', () => {
  const found = ['3.51.2, built into Node', '3.51.3', '3.53.0', '4.0.0', '3.9.20'].map(checkSqlite);
  expect(found.map(({ status }) => status)).toEqual(['warning', 'ok', 'ok', 'ok', 'warning']);
});

it('reports limits and says how to raise them', () => {
  expect(checkWatches((name) => (name === 'max_user_watches' ? 100 : 128))).toMatchObject({
    status: 'warning',
    action: 'sysctl fs.inotify.max_user_watches=8192',
  });
  expect(checkWatches(() => Number.NaN).status).toBe('ok');
  expect(checkDescriptors('Max open files            1024                 1024                 files')).toMatchObject({
    status: 'warning',
    action: 'ulimit -n 4096',
  });
  expect(checkDescriptors('Max open files            unlimited            unlimited            files').status).toBe(
    'ok',
  );
  expect(checkSpace(10 * MEBIBYTE)).toMatchObject({ status: 'problem', reason: '10 MiB free' });
});

it('a data home that others can read is a problem, with the command that closes it', () => {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const found = () => checkPreconditions(home).find(({ name }) => name === 'Data home');
  expect(found()).toMatchObject({ status: 'ok' });
  chmodSync(home, 0o755);
  expect(found()).toMatchObject({ status: 'problem', action: `chmod 700 ${home}` });
});
