import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { bundledProgram } from '../../../../packages/base/test/bundled-program.ts';

const program = resolve(import.meta.dirname, '../../test/programs/fill-notebook.ts');

it('a full disk refuses what is sent, keeps what was queued, leaves nothing half done, and goes on when there is space; another disk inside is told apart', () => {
  const base = mkdtempSync(join(tmpdir(), 'holdfast-codex-full-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, folder] = [join(base, 'home'), join(base, 'small')];
  for (const each of [home, folder]) mkdirSync(each, { mode: 0o700 });
  // A separate file system, which disappears with the process.
  const mounted = ['-rm', 'sh', '-c', `mount -t tmpfs -o size=3m tmpfs '${folder}' && exec "$@"`, 'sh'];
  const args = [...mounted, process.execPath, bundledProgram(program), home, folder];
  const { status, stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8', timeout: 100_000 });
  expect(status, `A small file system could not be mounted or the program failed.\n${stderr}`).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    refused: 'DISK_FULL unavailable',
    errorCode: 'ENOSPC',
    treeWhileFull: { 'a.md': 'before' },
    status: 'completed',
    sent: 'completed',
    long: 100_000,
    tree: { 'a.md': 'before', 'short.md': 'meanwhile' },
    isCommitted: true,
    left: [],
    onOtherDisk: 'OTHER_DISK',
  });
});
