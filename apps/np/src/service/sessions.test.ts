import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import {
  addTasks,
  archiveSession,
  canonicalDirectory,
  listSessions,
  openNp,
  showPlan,
  startSession,
  unarchiveSession,
  verify,
} from '../index.ts';
import { directoryHash } from '../model/ids.ts';

describe('starting a session', () => {
  it('is refused while the clock is wrong beyond use, and says so', async () => {
    const { np, directory } = await openHarness();
    for (const now of [-1, Date.parse('2600-01-01T00:00:00Z')]) {
      await expect(startSession({ ...np, now: () => now }, { directory, cmd: 'np s' })).rejects.toThrow(
        /system clock/u,
      );
    }
  });

  it('writes exactly the keys of the design document, and the event that says so', async () => {
    const { np, directory, keys } = await openHarness();
    const { session, isNew } = await startSession(np, { directory, cmd: 'np s' });
    expect(isNew).toBe(true);
    const { sid } = session;
    const at = '2026-01-02T03:04:05.000Z';
    const hash = directoryHash(directory);
    const meta = { sid, dir_path: directory, dir_hash: hash, state: 'active', created_at: at, archived_at: null };
    const event = { seq: 0, at, type: 'session_started', reason: null, cmd: 'np s' };
    const payload = { sid, dir_path: directory, created_at: at };
    const nanoseconds = (BigInt(Date.parse(at)) * 1_000_000n).toString(16).padStart(16, '0');
    expect(sid).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/u);
    expect(await keys()).toEqual({
      'meta/schema_version': '1',
      [`dir/${hash}/active`]: sid,
      [`idx/active/${sid}`]: hash,
      [`idx/events/${nanoseconds}/${sid}/0000000000000000`]: '',
      [`s/${sid}/meta`]: JSON.stringify({ ...meta, last_updated_at: at }),
      [`s/${sid}/meta/evt_seq`]: '0000000000000000',
      [`s/${sid}/evt/0000000000000000`]: JSON.stringify({ ...event, payload }),
    });
    expect((await verify(np, false)).problems).toEqual([]);
  });

  it('again gives the same session and changes nothing', async () => {
    const { np, directory, keys } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    const before = await keys();
    expect(await startSession(np, { directory, cmd: 'np s' })).toEqual({ session, isNew: false, shadows: undefined });
    expect(await keys()).toEqual(before);
  });

  it('many times at once makes one session', async () => {
    const { np, database, directory } = await openHarness();
    const others = await Promise.all(Array.from({ length: 5 }, () => openNp(database)));
    const started = await Promise.all([np, ...others].map((each) => startSession(each, { directory, cmd: 'np s' })));
    expect(new Set(started.map(({ session }) => session.sid)).size).toBe(1);
    expect(started.filter(({ isNew }) => isNew)).toHaveLength(1);
    await Promise.all(others.map((each) => each.close()));
  });

  it('below a directory that has one makes a new one, and says which it hides', async () => {
    const { np, directory } = await openHarness();
    const above = await startSession(np, { directory, cmd: 'np s' });
    const inner = join(directory, 'inner');
    mkdirSync(inner);
    expect((await showPlan(np, { where: { directory: inner } }.where)).session.sid).toBe(above.session.sid);
    const below = await startSession(np, { directory: inner, cmd: 'np s' });
    expect(below).toMatchObject({ isNew: true, shadows: { sid: above.session.sid } });
    expect((await showPlan(np, { directory: join(inner, 'deeper') })).session.sid).toBe(below.session.sid);
  });
});

describe('starting a session from a plan', () => {
  const plan = '# Ship\n\nsoon\n\n- [x] One\n- [ ] Two\n- [x] one\n';

  it('is one commit with goal, tasks and their status', async () => {
    const { np, directory, call, keys } = await openHarness();
    const revision = await np.store.revision();
    expect(await startSession(np, { directory, cmd: 'np s', plan })).toMatchObject({ isNew: true, tasksAdded: 2 });
    expect(await np.store.revision()).toBe(revision + 1);
    const { goal, tasks, session, counts } = await showPlan(np, call.where);
    expect(goal).toMatchObject({ title: 'Ship', description: 'soon' });
    expect(tasks).toMatchObject([
      { title: 'One', status: 'completed', created_seq: 2 },
      { title: 'Two', status: 'pending', created_seq: 4 },
    ]);
    expect(await keys(`s/${session.sid}/meta/`)).toEqual({ [`s/${session.sid}/meta/evt_seq`]: '0000000000000004' });
    expect(JSON.parse((await keys())[`s/${session.sid}/stats`]!)).toMatchObject(counts);
    expect((await verify(np, false)).problems).toEqual([]);
    await addTasks(np, { ...call, tasks: [{ title: 'Three', description: '' }] });
    expect((await verify(np, false)).problems).toEqual([]);
  });

  it('is refused where a session is active, and without tasks', async () => {
    const { np, directory, keys } = await openHarness();
    await expect(startSession(np, { directory, cmd: 'np s', plan: '# Only a goal' })).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
    });
    await startSession(np, { directory, cmd: 'np s' });
    const before = await keys();
    await expect(startSession(np, { directory, cmd: 'np s', plan })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    expect(await keys()).toEqual(before);
  });
});

describe('finding a session', () => {
  it('works from below, and through symbolic links', async () => {
    const { np, directory } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    mkdirSync(join(directory, 'a/b'), { recursive: true });
    const link = `${directory}-link`;
    symlinkSync(directory, link);
    expect(canonicalDirectory(join(link, 'a/../a/b'))).toBe(join(directory, 'a/b'));
    const plan = await showPlan(np, { directory: canonicalDirectory(join(link, 'a/b')) });
    expect(plan.session.sid).toBe(session.sid);
    expect(() => canonicalDirectory(join(directory, 'missing'))).toThrow(/does not exist/u);
    writeFileSync(join(directory, 'file'), '');
    expect(() => canonicalDirectory(join(directory, 'file'))).toThrow(/is not a directory/u);
  });

  it('fails with a code of its own when there is none', async () => {
    const { np, directory, call } = await openHarness();
    await expect(showPlan(np, { directory })).rejects.toMatchObject({ code: 'NO_SESSION', kind: 'not_found' });
    await expect(archiveSession(np, call)).rejects.toMatchObject({ code: 'NO_SESSION' });
    await expect(showPlan(np, { sid: 'X' })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});

describe('archiving a session', () => {
  it('from below its directory removes its active keys and adds the archived ones', async () => {
    const { np, directory, tick, keys } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    const { sid, dir_hash: hash } = session;
    const at = tick();
    const { session: archived } = await archiveSession(np, { where: { directory: join(directory, 'x') }, cmd: 'np a' });
    expect(archived).toMatchObject({ state: 'archived', archived_at: at, last_updated_at: at });
    const ts = (BigInt(Date.parse(at)) * 1_000_000n).toString(16).padStart(16, '0');
    const all = await keys();
    expect(all).toMatchObject({
      [`dir/${hash}/archived/${ts}/${sid}`]: '',
      [`idx/archived/${ts}/${sid}`]: hash,
      [`s/${sid}/meta/evt_seq`]: '0000000000000001',
    });
    expect(all).not.toHaveProperty(`dir/${hash}/active`);
    expect(all).not.toHaveProperty(`idx/active/${sid}`);
    expect(JSON.parse(all[`s/${sid}/evt/0000000000000001`]!)).toMatchObject({ type: 'session_archived', seq: 1 });
    expect((await verify(np, false)).problems).toEqual([]);
  });

  it('again is no error and changes nothing, by directory and by id', async () => {
    const { np, directory, call, keys } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    await archiveSession(np, call);
    const before = await keys();
    expect(await archiveSession(np, call)).toMatchObject({ isNew: false, session: { sid: session.sid } });
    expect(await archiveSession(np, { ...call, where: { sid: session.sid } })).toMatchObject({ isNew: false });
    expect(await keys()).toEqual(before);
  });

  it('makes room for a new one, and the old one can no longer be changed', async () => {
    const { np, directory, call } = await openHarness();
    const { session } = await startSession(np, { directory, cmd: 'np s' });
    await archiveSession(np, call);
    const next = await startSession(np, { directory, cmd: 'np s' });
    expect(next.session.sid).not.toBe(session.sid);
    const tasks = [{ title: 'late', description: '' }];
    const old = { ...call, where: { sid: session.sid } };
    await expect(addTasks(np, { ...old, tasks })).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' });
  });
});

describe('un-archiving a session', () => {
  it('makes the one active again that was archived last here, unless the directory has another', async () => {
    const { np, directory, call, tick, keys } = await openHarness();
    await expect(unarchiveSession(np, call)).rejects.toMatchObject({ code: 'NO_SESSION' });
    const sids: string[] = [];
    for (let count = 0; count < 2; count++) {
      sids.push((await startSession(np, { directory, cmd: 'np s' })).session.sid);
      tick();
      await archiveSession(np, call);
    }
    const [older, newer] = sids as [string, string];
    const below = { ...call, where: { directory: join(directory, 'below') } };
    expect(await unarchiveSession(np, below)).toMatchObject({ isNew: true, session: { sid: newer, state: 'active' } });
    expect(await keys(`idx/active/`)).toHaveProperty(`idx/active/${newer}`);
    expect((await addTasks(np, { ...call, tasks: [{ title: 'more', description: '' }] }))[0]?.changed).toBe(true);
    const named = (sid: string) => ({ ...call, where: { sid } });
    expect(await unarchiveSession(np, named(newer))).toMatchObject({ isNew: false });
    const taken = { code: 'SESSION_EXISTS', kind: 'conflict' };
    await expect(unarchiveSession(np, named(older))).rejects.toMatchObject(taken);
    await archiveSession(np, call);
    expect(await unarchiveSession(np, named(older))).toMatchObject({ isNew: true, session: { sid: older } });
    expect((await verify(np, false)).problems).toEqual([]);
  });
});

describe('listing sessions', () => {
  it('of one directory shows neither those above nor those below it', async () => {
    const { np, directory, call, tick } = await openHarness();
    const start = async (path: string) => (await startSession(np, { directory: path, cmd: 'np s' })).session.sid;
    const archived = await start(directory);
    tick();
    await archiveSession(np, call);
    const active = await start(directory);
    for (const other of [join(directory, '..'), join(directory, 'below')]) await start(other);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listSessions(np, { state: 'all', limit: 1, directory, cursor });
      found.push(...page.items.map(({ session }) => session.sid));
      ({ cursor } = page);
    } while (cursor !== undefined);
    expect(found).toEqual([active, archived]);
    const { items } = await listSessions(np, { state: 'archived', limit: 9, directory });
    expect(items).toMatchObject([{ session: { sid: archived } }]);
  });

  it('goes through all pages, active ones first, the newest first', async () => {
    const { np, directory, tick } = await openHarness();
    const sids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const where = { directory: join(directory, String(index)) };
      tick();
      sids.push((await startSession(np, { ...where, cmd: 'np s' })).session.sid);
      if (index < 4) await archiveSession(np, { where, cmd: 'np a' });
    }
    const expected = [sids[6], sids[5], sids[4], sids[3], sids[2], sids[1], sids[0]];
    for (const limit of [1, 2, 3, 4, 7, 50]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await listSessions(np, { state: 'all', limit, cursor });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        seen.push(...page.items.map(({ session }) => session.sid));
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(seen, `pages of ${limit}`).toEqual(expected);
    }
    expect((await listSessions(np, { state: 'active', limit: 10 })).items).toHaveLength(3);
    const { cursor: ofActive } = await listSessions(np, { state: 'active', limit: 1 });
    for (const cursor of ['garbage', '.', 'x.', ofActive]) {
      await expect(listSessions(np, { state: 'archived', limit: 1, cursor }), cursor).rejects.toMatchObject({
        code: 'CURSOR_INVALID',
      });
    }
    expect((await listSessions(np, { state: 'archived', limit: 10 })).items).toHaveLength(4);
  });
});
