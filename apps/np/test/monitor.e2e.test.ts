import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, restoreToRevision } from '@holdfast/sqlite';
import { describe, expect, it } from 'vitest';
import type { Task } from '../src/index.ts';
import { newPlace, type Place } from './built-np.ts';
import { Watched } from './terminal.ts';

function placeWithPlan(): Place {
  const place = newPlace();
  place.np(['s']);
  place.np(['g', 's', '-t', 'Ship the 日本 release', '-d', 'see issue 4']);
  place.np(['t', 'a', '-t', 'Reproduce', '-d', 'with a test', '-t', 'Fix 🚀', '-t', 'Tell everybody']);
  return place;
}

function idOf(place: Place, title: string): string {
  return place.data<{ tasks: Task[] }>(['t']).tasks.find((task) => task.title === title)?.id ?? '';
}

describe('the monitor', () => {
  it.each([
    [40, 10],
    [80, 24],
    [200, 60],
  ])('at %d×%d shows the plan, and what another process does to it', async (columns, rows) => {
    const place = placeWithPlan();
    const watched = new Watched(place, columns, rows);
    await watched.shows('Ship the 日本 release', '☐ ', 'Reproduce', '0/3 done', 'q quit');
    expect(watched.isAlternate).toBe(true);
    const id = idOf(place, 'Reproduce');
    place.np(['t', 'u', '-i', id, '-s', 'in_progress']);
    await watched.shows(`⟳ ${id}`, 'in progress');
    place.np(['t', 'u', '-i', id, '-s', 'completed']);
    await watched.shows(`☑ ${id}`, '1/3 done');
    place.np(['t', 'u', '-i', id, '-s', 'failed', '-r', 'broke again']);
    await watched.shows(`☒ ${id}`, '0/3 done');
    // The screen did not scroll: the first line is the goal, and the last shows the keys.
    expect(watched.lines()[0]).toContain('Ship the 日本 release');
    expect(watched.lines().at(-1)).toContain('q quit');
    watched.press('q');
    expect(await watched.ended()).toBe(0);
    expect(await watched.isRestored()).toBe(true);
  });

  it('filters, searches, explains itself and shows details', async () => {
    const place = placeWithPlan();
    place.np(['t', 'u', '-i', idOf(place, 'Fix 🚀'), '-s', 'completed']);
    const watched = new Watched(place, 80, 24);
    await watched.shows('Tasks (3)');
    watched.press('f');
    await watched.shows('Tasks (2 of 3: pending)');
    await watched.lacks(`☑ ${idOf(place, 'Fix 🚀')}`);
    watched.press('\u001b');
    await watched.shows('Tasks (3)');
    watched.press('/everyx\u007f\r');
    await watched.shows('Tasks (1 of 3: “every”)', 'Tell everybody');
    watched.press('\u001b');
    await watched.shows('Tasks (3)');
    watched.press('g\r');
    await watched.shows('    with a test', 'version 1');
    watched.press('?');
    await watched.shows('Keys', 'any key: back');
    watched.press('x');
    await watched.shows('Tasks (3)');
    watched.press('\u0003');
    expect(await watched.ended()).toBe(0);
    expect(await watched.isRestored()).toBe(true);
  });

  it('follows its size', async () => {
    const watched = new Watched(placeWithPlan(), 80, 24);
    await watched.shows('Tasks (3)', 'Log');
    watched.resize(30, 8);
    await watched.shows('Ship the 日本', '☐ ');
    await watched.lacks('Log\n');
    expect(watched.lines()).toHaveLength(8);
    watched.resize(160, 40);
    await watched.shows('│ Log');
    watched.press('q');
    expect(await watched.ended()).toBe(0);
  });

  it('lets people choose another session from pages that stay as they were fetched', async () => {
    const place = placeWithPlan();
    for (let index = 0; index < 12; index += 1) {
      place.np(['s', '--dir', '..']);
      place.np(['g', 's', '-t', `old goal ${index}`, '--dir', '..']);
      place.np(['a', '--dir', '..']);
    }
    const watched = new Watched(place, 60, 10);
    await watched.shows('Ship the');
    watched.press('s');
    await watched.shows('Sessions (page 1)', '● ', 'old goal 11');
    place.np(['s', '--dir', '..']);
    place.np(['g', 's', '-t', 'brand new', '--dir', '..']);
    watched.press('n');
    await watched.shows('(page 2', 'old goal 5');
    expect(watched.text()).not.toContain('brand new');
    watched.press('p');
    await watched.shows('(page 1)', 'brand new');
    watched.press('nj\r');
    await watched.shows('old goal', 'ARCHIVED');
    watched.press('d');
    await watched.shows('Ship the 日本 release');
    watched.press('q');
    expect(await watched.ended()).toBe(0);
  });

  it('waits where there is no session, and shows the one that is started', async () => {
    const place = newPlace();
    const watched = new Watched(place, 80, 24);
    await watched.shows('Waiting for a session');
    place.np(['s']);
    await watched.shows('No goal set yet', 'session started');
    place.np(['a', '-r', 'enough']);
    await watched.shows('ARCHIVED', 'session archived', 'enough');
    watched.press('q');
    expect(await watched.ended()).toBe(0);
  });

  it('survives that the database is set back, locked and replaced', async () => {
    const place = placeWithPlan();
    const path = join(place.home, 'np.db');
    const watched = new Watched(place, 80, 24);
    await watched.shows('Tasks (3)');
    const database = await openDatabase({ path, kind: 'keyspace' });
    const revision = database.revision();
    place.np(['t', 'a', '-t', 'Will be undone']);
    await watched.shows('Tasks (4)');
    await restoreToRevision(database, revision);
    await watched.shows('Tasks (3)');
    // The screen still responds while another process holds the write lock.
    database.reader.exec('BEGIN IMMEDIATE');
    watched.press('?');
    await watched.shows('Keys');
    watched.press('x');
    await watched.shows('Tasks (3)');
    database.reader.exec('COMMIT');
    await database.close();
    // Another file replaces the database, as in a restore from a backup.
    const other = placeWithPlan();
    other.np(['t', 'a', '-t', 'From the backup', '--dir', other.project]);
    const sid = other.data<{ session: { sid: string } }>(['p']).session.sid;
    const copy = await openDatabase({ path: join(other.home, 'np.db'), kind: 'keyspace' });
    await copy.close();
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    renameSync(join(other.home, 'np.db'), path);
    await watched.shows('There is no session');
    watched.press('s');
    await watched.shows('Sessions');
    watched.press('r\r');
    await watched.shows(sid.slice(-6), 'From the backup');
    watched.press('q');
    expect(await watched.ended()).toBe(0);
  });

  it('puts the terminal in order when it is told to end', async () => {
    for (const signal of ['SIGTERM', 'SIGHUP']) {
      const watched = new Watched(placeWithPlan(), 80, 24);
      await watched.shows('Tasks (3)');
      watched.pty.kill(signal);
      await watched.ended();
      expect(await watched.isRestored(), signal).toBe(true);
    }
  });

  it('refuses to draw where there is no terminal', () => {
    const { code, stdout, stderr } = newPlace().np(['m']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('NOT_A_TERMINAL');
  });
});
