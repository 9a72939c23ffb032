import { describe, expect, it } from 'vitest';
import { openHarness } from '../../test/harness.ts';
import {
  addTasks,
  archiveSession,
  deleteTask,
  exportSession,
  importSession,
  moveTask,
  parseExport,
  setGoal,
  startSession,
  updateTasks,
  verify,
} from '../index.ts';
import { toMarkdown } from '../model/exported.ts';

async function withPlan() {
  const harness = await openHarness();
  const { np, directory, call, tick } = harness;
  await startSession(np, { directory, cmd: 'np s' });
  await setGoal(np, { ...call, title: 'Ship *it*', description: 'all\nof it' });
  const tasks = ['A', 'B', 'C'].map((title) => ({ title, description: `${title}\nmore` }));
  const added = await addTasks(np, { ...call, tasks });
  const [a, b, c] = added.map(({ task }) => task.id) as [string, string, string];
  tick();
  await addTasks(np, { ...call, tasks: [{ title: 'D', description: '', after: [a, c] }] });
  await updateTasks(np, { ...call, actor: 'ada', updates: [{ id: c, note: 'see *here*' }] });
  await updateTasks(np, { ...call, updates: [{ id: a, status: 'failed', reason: 'broke' }] });
  await moveTask(np, { ...call, id: c, to: 1 });
  await deleteTask(np, { ...call, id: b, reason: 'twice' });
  return harness;
}

describe('export and import', () => {
  it('bring a session to another database key by key', async () => {
    const from = await withPlan();
    const exported = parseExport(JSON.stringify(await exportSession(from.np, from.call.where)));
    const to = await openHarness();
    await importSession(to.np, { exported, directory: from.directory });
    expect(await to.keys()).toEqual(await from.keys());
    expect((await verify(to.np, false)).problems).toEqual([]);
    // The imported plan continues where it was.
    const again = await addTasks(to.np, { ...from.call, tasks: [{ title: 'A', description: 'A\nmore' }] });
    expect(again).toMatchObject([{ changed: false }]);
  });

  it('take the directory where it is imported, and can put it with the archived ones', async () => {
    const from = await withPlan();
    const exported = await exportSession(from.np, from.call.where);
    const to = await openHarness();
    const active = await startSession(to.np, { directory: to.directory, cmd: 'np s' });
    await expect(importSession(to.np, { exported, directory: to.directory })).rejects.toMatchObject({
      code: 'SESSION_EXISTS',
      message: `Session ${active.session.sid} is active in ${to.directory}.`,
    });
    const session = await importSession(to.np, { exported, directory: to.directory, asArchived: true });
    expect(session).toMatchObject({ state: 'archived', dir_path: to.directory });
    await expect(importSession(to.np, { exported, directory: '/x' })).rejects.toMatchObject({ code: 'SESSION_EXISTS' });
    expect((await verify(to.np, false)).problems).toEqual([]);
  });

  it('refuse what is damaged, and say where', async () => {
    const { np, call } = await withPlan();
    await archiveSession(np, call);
    const good = await exportSession(np, call.where).catch(() => undefined);
    expect(good).toBeUndefined();
    const from = await withPlan();
    const exported = await exportSession(from.np, from.call.where);
    const refused = (changed: object): string => {
      try {
        parseExport(JSON.stringify({ ...exported, ...changed }));
        return 'accepted';
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refused({})).toBe('accepted');
    expect(refused({ format: 'x' })).toContain('not a session export');
    expect(refused({ events: exported.events.slice(1) })).toContain('found number 1 where 0 was expected');
    expect(refused({ tasks: [...exported.tasks, ...exported.tasks] })).toContain('two tasks have the same id');
    expect(refused({ tasks: [{ ...exported.tasks[0], created_seq: 1 }] })).toContain('did not create');
    expect(refused({ tasks: [{ ...exported.tasks[0], status: 'done' }] })).toContain('tasks.0.status');
    const [note] = exported.notes!;
    expect(refused({ notes: [{ ...note, seq: 1 }] })).toContain('event 1 added no note');
    expect(refused({ session: { ...exported.session, state: 'archived' } })).toContain(
      'state and archived_at contradict each other',
    );
    expect(() => parseExport('{')).toThrow('not valid JSON');
    expect(() => parseExport('{"schema_version":1,"data":null}')).toThrow('not a session export');
    for (const sid of ['', 'a/b', exported.session.sid.toLowerCase()]) {
      expect(refused({ session: { ...exported.session, sid } })).toContain('is not a valid session id');
    }
    for (const at of ['2026-13-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-01-01T00:00:00Z']) {
      expect(refused({ events: exported.events.with(0, { ...exported.events[0]!, at }) })).toContain('events.0.at: ');
      expect(refused({ session: { ...exported.session, state: 'archived', archived_at: at } })).toContain(
        'session.archived_at: ',
      );
    }
    const [first, second] = exported.tasks;
    const place = { order_seq: exported.events.length };
    expect(refused({ tasks: [{ ...first, ...place }] }), 'the next task would stand there').toContain('position');
    expect(refused({ tasks: [first, { ...second, order_seq: first!.order_seq ?? first!.created_seq }] })).toContain(
      'position',
    );
  });

  it('write Markdown that reads as it was meant', async () => {
    const { np, call } = await withPlan();
    const text = toMarkdown(await exportSession(np, call.where));
    expect(text).toContain(String.raw`# Ship \*it\*`);
    expect(text).toMatch(
      /- ☐ `\w+` C \(pending\)\n\n {2}C\n {2}more\n\n {2}Note \(.*\): see \*here\*\n\n- ☒ `\w+` A \(failed\)/u,
    );
    expect(text).toMatch(/D \(pending, after \w+, \w+\)/u);
    expect(text).toContain('(because broke)');
    expect(text).toContain('deleted: B (because twice)');
  });
});
