import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { DAY, HOUR } from '@holdfast/base';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { openTest, openWithProject, temporaryFolder, testClock } from '../../test/harness.ts';
import { loadConfig } from '../adapters/config-file.ts';
import { defaultConfig } from '../model/config.ts';
import { AcyclicLinks, findPath } from '../model/graph/cycle.ts';
import { childNumber, isId } from '../model/ids.ts';
import { existingTask, updateTask } from '../store/tasks.ts';
import { examine } from './doctor.ts';
import { addDependency, drawGraph, removeDependency } from './graph.ts';
import { rank, ranksAreStale } from './rank.ts';
import { explain, readyTasks } from './ready.ts';
import { addTask, editTask, listTasks, showTask } from './tasks.ts';

describe('ids', () => {
  it('are safe as names of folders', () => {
    for (const id of ['bd-a3f8', 'bd-a3f8.1.2', 'bd-mol-x', 'coding_agent_session_search-x', 'a'])
      expect(isId(id)).toBe(true);
    for (const id of ['', '.', '..', '../x', 'a/b', 'a\0', '-x', '.x', 'x.', 'a..b', 'x'.repeat(200)])
      expect(isId(id)).toBe(false);
  });

  it('of children count up under concurrency and are never used again', async () => {
    const root = temporaryFolder();
    const rm = await openWithProject({ root });
    const second = await openTest({ root });
    const epic = await addTask(rm, { title: 'E', type: 'epic' });
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, n) => addTask(n % 2 === 0 ? rm : second, { title: `T${n}`, parent: epic.id })),
    );
    const numbers = added.map(({ id }) => childNumber(epic.id, 'child', id)).sort((a, b) => a! - b!);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    await rm.store.write('delete', (tx) => tx.run('DELETE FROM tasks WHERE id = ?', `${epic.id}.20`));
    expect((await addTask(rm, { title: 'next', parent: epic.id })).id).toBe(`${epic.id}.21`);
    expect((await addTask(rm, { title: 'below', parent: `${epic.id}.21` })).type).toBe('subtask');
  });
});

describe('circles', () => {
  it('are refused by link, parent and edit, and named', async () => {
    const rm = await openWithProject();
    for (const id of ['a', 'b', 'c']) await addTask(rm, { id, title: id });
    await addDependency(rm, { task: 'b', depends_on: 'a' });
    await addDependency(rm, { task: 'c', depends_on: 'b' });
    await expect(addDependency(rm, { task: 'a', depends_on: 'c' })).rejects.toMatchObject({
      code: 'DEPENDENCY_CYCLE',
      message: 'This link would create a cycle: a → c → b → a',
      details: { cycle: ['a', 'c', 'b', 'a'] },
    });
    await expect(addDependency(rm, { task: 'a', depends_on: 'a' })).rejects.toMatchObject({ code: 'DEPENDENCY_CYCLE' });
    await expect(editTask(rm, { task: 'a', parent: 'c' })).rejects.toThrow('a → c → b → a');
    const child = await addTask(rm, { title: 'child', parent: 'c' });
    await expect(addDependency(rm, { task: 'a', depends_on: child.id })).rejects.toThrow(`a → ${child.id} → c → b → a`);
    await expect(addDependency(rm, { task: child.id, depends_on: 'c' })).rejects.toMatchObject({
      code: 'DEPENDENCY_CYCLE',
    });
    expect(await addDependency(rm, { task: 'a', depends_on: 'c', type: 'related' })).toMatchObject({ created: true });
    const epic = await addTask(rm, { title: 'epic', type: 'epic' });
    const part = await addTask(rm, { title: 'part', depends_on: [epic.id] });
    await expect(editTask(rm, { task: part.id, parent: epic.id })).rejects.toMatchObject({ code: 'DEPENDENCY_CYCLE' });
    const above = await addTask(rm, { title: 'above', depends_on: [] });
    await editTask(rm, { task: part.id, parent: above.id });
    await expect(editTask(rm, { task: above.id, parent: epic.id })).rejects.toMatchObject({ code: 'DEPENDENCY_CYCLE' });
    // Simulates a database from an older version, which did not have this check.
    await rm.store.write('by hand', (tx) => updateTask(tx, part.id, { parent_id: epic.id }));
    const findings = await examine(rm, { repair: false });
    expect(findings.find(({ check }) => check === 'cycles')?.problems).toEqual([
      `${part.id} depends on ${epic.id}, which it is part of`,
    ]);
    await removeDependency(rm, { task: 'c', depends_on: 'b' });
    expect(await addDependency(rm, { task: 'a', depends_on: 'c' })).toMatchObject({ created: true });
  });

  it('are found whatever the order of the links', () => {
    const links = fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 30 });
    fc.assert(
      fc.property(links, (pairs) => {
        const fast = new AcyclicLinks();
        const taken: (readonly [string, string])[] = [];
        for (const [from, to] of pairs.map(([a, b]) => [`n${a}`, `n${b}`] as const)) {
          const waits = (id: string): string[] => taken.filter(([child]) => child === id).map(([, parent]) => parent);
          const expected = findPath(to, from, waits);
          const found = fast.add(from, to);
          expect(found === undefined).toBe(expected === undefined);
          if (expected === undefined) taken.push([from, to]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('ranks', () => {
  it('explain themselves, know their graph, and leave updated_at alone', async () => {
    const rm = await openWithProject();
    for (const id of ['a', 'b', 'c'])
      await addTask(rm, { id, title: id, depends_on: id === 'a' ? [] : [id === 'b' ? 'a' : 'b'] });
    await editTask(rm, { task: 'c', priority: 'P0' });
    const before = existingTask(rm.store.reader, 'a');
    const run = await rank(rm);
    expect(run).toMatchObject({ tasks: 3, links: 2, is_approximate: 0 });
    expect(existingTask(rm.store.reader, 'a')).toMatchObject({
      updated_at: before.updated_at,
      version: before.version,
    });
    const a = explain(rm, 'a');
    expect(a).toMatchObject({ queue_position: 1, is_ready: true, is_current: true, holds: [] });
    expect(a.own).toBeCloseTo(a.terms.pagerank + a.terms.betweenness + a.terms.critical + a.terms.manual, 12);
    expect(explain(rm, 'c')).toMatchObject({ queue_position: null, holds: ['it waits for b (ready)'] });
    expect(ranksAreStale(rm)).toBe(false);
    await addTask(rm, { title: 'new' });
    expect(ranksAreStale(rm)).toBe(true);
    expect(explain(rm, 'a').is_current).toBe(false);
    await editTask(rm, { task: 'a', status: 'failed' });
    expect(showTask(rm, { task: 'b' }).held_because).toEqual(['it waits for a, and a has failed']);
  });

  it('grow with the time a task has waited, if the settings say so, and explain that too', async () => {
    const clock = testClock();
    const { prioritization } = defaultConfig;
    const config = { prioritization: { ...prioritization, aging_weight: 1, aging_days: 10 } };
    const rm = await openWithProject({ clock, config });
    await addTask(rm, { id: 'old', title: 'Old', priority: 'P4' });
    clock.advance(5 * DAY);
    await addTask(rm, { id: 'new', title: 'New', priority: 'P0' });
    await rank(rm);
    expect(explain(rm, 'old').terms.aging).toBeCloseTo(0.5, 9);
    expect(explain(rm, 'old')).toMatchObject({ queue_position: 1 });
    const own = existingTask(rm.store.reader, 'old').own_priority;
    expect(explain(rm, 'old').own).toBeCloseTo(own, 9);
    expect(ranksAreStale(rm)).toBe(false);
    clock.advance(2 * HOUR);
    expect(ranksAreStale(rm)).toBe(true);
    clock.advance(20 * DAY);
    await rank(rm);
    // The aging term has reached its maximum. With the default settings, it is 0.
    expect(explain(rm, 'old').terms.aging).toBeCloseTo(1, 9);
    await rank({ ...rm, config: defaultConfig });
    expect(explain({ ...rm, config: defaultConfig }, 'old')).toMatchObject({ queue_position: 2, terms: { aging: 0 } });
  });

  it('can be drawn, whatever the titles are', async () => {
    const rm = await openWithProject();
    await addTask(rm, { id: 'a', title: 'Say "hi" & <bye>' });
    await addTask(rm, { id: 'b', title: 'B', depends_on: ['a'] });
    expect(drawGraph(rm, { all: false, format: 'mermaid' }).text).toContain('n0["a: Say #quot;hi#quot; #amp; <bye>"]');
    expect(drawGraph(rm, { all: false, format: 'dot' }).text).toContain('"a" -> "b"');
    expect(drawGraph(rm, { all: false, format: 'json' })).toMatchObject({ edges: [{ from: 'b', to: 'a' }], text: '' });
  });
});

describe('edits', () => {
  it('are refused when somebody was faster', async () => {
    const rm = await openWithProject();
    const { id, version } = await addTask(rm, { title: 'A' });
    await editTask(rm, { task: id, title: 'B', version });
    await expect(editTask(rm, { task: id, title: 'C', version })).rejects.toMatchObject({ code: 'TASK_STALE' });
  });
});

describe('labels', () => {
  it('select tasks that have all of them, also from what is ready, and one empty label removes them', async () => {
    const rm = await openWithProject();
    await addTask(rm, { id: 'both', title: 'both', labels: ['ui', ' bug ', 'ui'] });
    await addTask(rm, { id: 'one', title: 'one', labels: ['ui'] });
    await addTask(rm, { id: 'none', title: 'none' });
    const listed = async (...labels: string[]): Promise<string[]> => {
      const { data } = await listTasks(rm, { limit: 9, state: 'all', search: '', labels, archived: false });
      const ready = await readyTasks(rm, { labels, limit: 9 });
      expect(ready.map(({ id }) => id).toSorted()).toEqual(data.map(({ id }) => id).toSorted());
      return data.map(({ id }) => id).toSorted();
    };
    expect(await listed('ui', 'bug')).toEqual(['both']);
    expect(await listed('ui')).toEqual(['both', 'one']);
    expect(await listed('u')).toEqual([]);
    expect(await listed()).toEqual(['both', 'none', 'one']);
    await editTask(rm, { task: 'both', labels: [''] });
    expect(showTask(rm, { task: 'both' }).task.labels).toEqual([]);
    expect(await listed('ui')).toEqual(['one']);
  });
});

describe('ringmaster.toml', () => {
  const load = (text: string): Promise<unknown> => {
    const path = join(temporaryFolder(), 'ringmaster.toml');
    writeFileSync(path, text);
    return loadConfig(path);
  };

  it('takes the example of the design document', async () => {
    const example = `[storage]\ndb_path = ".ringmaster/ringmaster.db"\nfiles_path = ".ringmaster"\n\n# SQLite tuning\nwal_mode = true
cache_size_mb = 10\nbusy_timeout_ms = 5000\n\nbackup_enabled = true\nbackup_interval_hours = 1\nbackup_retention_days = 7
cleanup_completed_tasks_days = 30\ncleanup_iteration_logs_days = 7\n`;
    expect(await load(example)).toEqual(await load(''));
  });

  it.each([
    ['[storage]\ndb_path = "x"\nbakcup_enabled = true', 3, 'bakcup_enabled'],
    ['[stroage]\n', 1, 'stroage'],
    ['\n\ntop = 1', 3, 'top'],
    ['[storage]\n\ncache_size_mb = "10"', 3, 'cache_size_mb must be a number'],
    ['[storage]\nwal_mode = false', 2, 'must be true'],
    ['[prioritization]\n# a\npagerank_weight = 0.5', 3, 'must sum to 1'],
    ['[prioritization.manual_scores]\nP9 = 1', 2, 'P9'],
    [
      '[[workers]]\nname = "a"\ntype = "custom"\ncommand = "c"\n[[workers]]\nname = "b"\ntype = "custom"\ncommand = "c"\nspeed = 9',
      9,
      'speed',
    ],
    ['[[workers]]\nname = "a"\n', 1, 'needs "type"'],
    ['[storage\n', 1, 'Invalid TOML'],
    ['[queue]\nlease_seconds = -1', 2, 'at least'],
  ])('says in which line %j is wrong', async (text, line, message) => {
    await expect(load(text)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(load(text)).rejects.toThrow(`ringmaster.toml:${line}: `);
    await expect(load(text)).rejects.toThrow(message);
  });
});
