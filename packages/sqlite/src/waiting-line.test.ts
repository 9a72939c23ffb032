import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../test/temporary.ts';
import { WaitingLine } from './waiting-line.ts';

test('tickets are in the order of arrival, whoever joined first, and leave nothing behind', () => {
  const path = join(temporaryFolder(), 'x.db');
  const [first, second] = [new WaitingLine(path), new WaitingLine(path)];
  expect(first.tickets()).toEqual([]);
  const late = first.join(2_000)!;
  const early = second.join(1_000)!;
  expect(first.tickets()).toEqual([early, late]);
  expect([first.owns(late), first.owns(early)]).toEqual([true, false]);
  second.leave(early);
  expect(second.tickets()).toEqual([late]);
  first.leave(late);
  expect(existsSync(`${path}-queue`)).toBe(false);
});

test('the ticket of a process that is gone is removed', () => {
  const path = join(temporaryFolder(), 'x.db');
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  mkdirSync(`${path}-queue`);
  writeFileSync(`${path}-queue/000000000000001-${pid}-1`, '');
  const line = new WaitingLine(path);
  const own = line.join(5)!;
  expect(line.tickets()).toEqual([own]);
  expect(readdirSync(`${path}-queue`)).toEqual([own]);
});

test('the ticket of a process that stands still is skipped, but stays until it goes on', () => {
  const path = join(temporaryFolder(), 'x.db');
  const [stopped, line] = [new WaitingLine(path), new WaitingLine(path)];
  const early = stopped.join(1)!;
  const late = line.join(2)!;
  utimesSync(`${path}-queue/${early}`, 0, 0);
  expect(line.tickets()).toEqual([late]);
  stopped.renew(early);
  expect(line.tickets()).toEqual([early, late]);
});

test('a ticket that somebody removed is written again, and one that cannot be written is none', () => {
  const folder = temporaryFolder();
  const line = new WaitingLine(join(folder, 'x.db'));
  const ticket = line.join(1)!;
  new WaitingLine(join(folder, 'x.db')).leave(ticket);
  expect(line.tickets()).toEqual([]);
  expect(line.renew(ticket)).toBe(true);
  expect(line.tickets()).toEqual([ticket]);
  writeFileSync(join(folder, 'file'), '');
  expect(new WaitingLine(join(folder, 'file/x.db')).join(1)).toBeUndefined();
});
