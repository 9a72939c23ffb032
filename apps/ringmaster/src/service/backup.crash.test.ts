import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { openWithProject, testClock } from '../../test/harness.ts';
import { startProgram } from '../../test/process.ts';
import { listBackups, verifyBackups } from './backup.ts';

const PROCESSES = 6;

it('Six processes that back up at once each get a whole, private backup', async () => {
  const rm = await openWithProject({ clock: testClock() });
  const started = Array.from({ length: PROCESSES }, () =>
    startProgram('step', rm.workspace.root, String(rm.clock()), 'backup'),
  );
  for (const { process: child, ended, lines } of started) {
    await ended;
    expect([child.exitCode, lines]).toEqual([0, ['done']]);
  }
  expect(listBackups(rm)).toHaveLength(PROCESSES);
  expect((await verifyBackups(rm)).filter(({ problem }) => problem !== null)).toEqual([]);
  const folder = join(rm.workspace.filesPath, 'backups');
  const names = readdirSync(folder).filter((name) => name !== 'objects');
  expect(names.filter((name) => !/\.db(\.json)?$/.test(name))).toEqual([]);
  expect(names).toHaveLength(2 * PROCESSES);
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
});
