import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';
import fc from 'fast-check';

import { beadsReady, issueFile } from '../../../test/beads-model.ts';
import { openWithProject, temporaryFolder } from '../../../test/harness.ts';
import { beadsText } from '../../../test/beads-text.ts';
import { importBeads, importBeadsFile } from '../../service/beads.ts';
import { addDependency, removeDependency } from '../../service/graph.ts';
import { claim } from '../../service/queue.ts';
import { addTask, cancelTask, editTask, listTasks, showTask } from '../../service/tasks.ts';
import { existingTask } from '../../store/tasks.ts';

/** Excerpts from the issues of the Beads project itself (MIT licence), written by two versions of Beads. */
const realFiles = ['beads-2025-10-16.jsonl', 'beads-2025-12-05.jsonl'].map((name) =>
  resolve(import.meta.dirname, '../../../test/beads', name),
);

const readyIds = (rm: Awaited<ReturnType<typeof openWithProject>>): string[] =>
  rm.store.reader.all<{ id: string }>('SELECT id FROM ready_tasks ORDER BY id').map(({ id }) => id);

describe('real Beads files', () => {
  it.each(realFiles)('%s comes back byte for byte, twice', async (path) => {
    const text = readFileSync(path, 'utf8');
    const first = await openWithProject();
    const report = await importBeads(first, { content: text, source: path });
    expect(report).toMatchObject({ created: text.trimEnd().split('\n').length, skipped: 0 });
    expect(await beadsText(first, {})).toBe(text);
    expect(readyIds(first)).toEqual(beadsReady(text));
    const second = await openWithProject();
    await importBeads(second, { content: await beadsText(first, {}), source: 'again' });
    expect(await beadsText(second, {})).toBe(text);
    const again = await importBeads(first, { content: text, source: path });
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: report.created });
  });
});

describe('generated Beads files', () => {
  it('come back as they are, and their ready set is that of Beads', async () => {
    const rm = await openWithProject();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(issueFile, async (lines) => {
        run += 1;
        // Each run uses its own project and its own prefix.
        const text = lines.map((line) => line.replaceAll('bd-', `r${run}-`)).join('\n');
        rm.store.reader.exec('SELECT 1');
        await rm.store.write('project', (tx) => tx.run(`INSERT INTO projects (id, name) VALUES (?, 'x')`, `p${run}`));
        await importBeads(rm, { content: text, source: 'generated', project: `p${run}` });
        const exported = await beadsText(rm, { project: `p${run}` });
        expect(exported.trimEnd().split('\n').sort()).toEqual(text.split('\n').sort());
        const ready = readyIds(rm).filter((id) => id.startsWith(`r${run}-`));
        expect(ready).toEqual(beadsReady(text));
        const again = await importBeads(rm, { content: exported, source: 'exported', project: `p${run}` });
        expect(again).toMatchObject({ created: 0, updated: 0 });
      }),
      { numRuns: 60 },
    );
  });
});

const issue = (id: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id,
    title: `T ${id}`,
    status: 'open',
    priority: 2,
    issue_type: 'task',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-02T00:00:00.123456789-05:00',
    ...more,
  });
const blocks = (child: string, ...parents: string[]): unknown =>
  parents.map((parent) => ({ issue_id: child, depends_on_id: parent, type: 'blocks' }));

describe('import', () => {
  it('shows a title in one line and gives it back as it was; a line with a NUL is kept, and reported', async () => {
    const rm = await openWithProject();
    const text = [issue('bd-1', { title: 'One\n  two\r\n' }), issue('bd-2', { description: 'a\0b' })].join('\n');
    const report = await importBeads(rm, { content: text, source: 'f' });
    expect(report).toMatchObject({ created: 1, problems: [{ line: 2, kind: 'bad_line' }] });
    expect(existingTask(rm.store.reader, 'bd-1').title).toBe('One two');
    expect((await beadsText(rm, {})).trim().split('\n').sort()).toEqual(text.split('\n').sort());
    await expect(importBeads(rm, { content: 'a\0b', source: 'f' })).rejects.toMatchObject({ code: 'IMPORT_REFUSED' });
  });

  it('changes only what was changed, and keeps fields it does not know', async () => {
    const rm = await openWithProject();
    const line = issue('bd-1', { wisp_type: 'custom', payload: { a: [1, '<b>'] }, comments: [{ id: 7, text: 'hi' }] });
    await importBeads(rm, { content: line, source: 'f' });
    await editTask(rm, { task: 'bd-1', title: 'New <title>' });
    const exported = await beadsText(rm, {});
    expect(exported).toContain(String.raw`New \u003ctitle\u003e`);
    expect(JSON.parse(exported)).toEqual({
      ...(JSON.parse(line) as object),
      title: 'New <title>',
      updated_at: existingTask(rm.store.reader, 'bd-1').updated_at,
    });
  });

  it('keeps native states through Beads and back', async () => {
    const rm = await openWithProject();
    await addTask(rm, { id: 'bd-e', title: 'Epic', type: 'epic' });
    await addTask(rm, { id: 'bd-e.1', title: 'Failed', parent: 'bd-e', capabilities: ['rust'] });
    await addTask(rm, { id: 'bd-e.2', title: 'Waits', parent: 'bd-e', depends_on: ['bd-e.1'], draft: true });
    await editTask(rm, { task: 'bd-e.1', status: 'failed', reason: 'no' });
    const text = await beadsText(rm, {});
    expect(JSON.parse(text.split('\n')[1]!)).toMatchObject({ status: 'open', labels: ['ringmaster:failed'] });
    const other = await openWithProject();
    await importBeads(other, { content: text, source: 'f' });
    for (const id of ['bd-e', 'bd-e.1', 'bd-e.2']) {
      const { type, status, parent_id, priority, required_capabilities } = existingTask(rm.store.reader, id);
      expect(existingTask(other.store.reader, id)).toMatchObject({
        type,
        status,
        parent_id,
        priority,
        required_capabilities,
      });
    }
    expect(await beadsText(other, {})).toBe(text);
  });

  it('leaves a running task, a newer task and another project alone, and says so', async () => {
    const rm = await openWithProject();
    await importBeads(rm, { content: [issue('bd-1'), issue('bd-2', { priority: 4 })].join('\n'), source: 'f' });
    const claimed = await claim(rm, { worker: 'w1' });
    expect(claimed?.task.id).toBe('bd-1');
    await editTask(rm, { task: 'bd-2', title: 'Mine' });
    const newer = issue('bd-1', { title: 'Theirs', updated_at: '2030-01-01T00:00:00Z' });
    const report = await importBeads(rm, { content: [newer, issue('bd-2', { title: 'Old' })].join('\n'), source: 'f' });
    expect(report.problems.map(({ kind }) => kind)).toEqual(['running', 'older']);
    expect(existingTask(rm.store.reader, 'bd-1')).toMatchObject({ title: 'T bd-1', status: 'assigned' });
    await rm.store.write('project', (tx) => tx.run(`INSERT INTO projects (id, name) VALUES ('other', 'x')`));
    const elsewhere = await importBeads(rm, { content: newer, source: 'f', project: 'other' });
    expect(elsewhere.problems).toMatchObject([{ line: 1, id: 'bd-1', kind: 'other_project' }]);
  });

  it('keeps missing targets and resolves them later; a circle is named, kept and given back', async () => {
    const rm = await openWithProject();
    const lines = [issue('bd-1', { dependencies: blocks('bd-1', 'bd-2', 'external:x:1') })];
    const first = await importBeads(rm, { content: lines.join('\n'), source: 'f' });
    expect(first).toMatchObject({ unresolved: 2 });
    expect(readyIds(rm)).toEqual(['bd-1']);
    const two = issue('bd-2', { dependencies: blocks('bd-2', 'bd-1', 'bd-2') });
    const second = await importBeads(rm, { content: two, source: 'f' });
    expect(second.problems).toMatchObject([
      { kind: 'link_cycle', message: 'blocks: would create a cycle: bd-2 → bd-2' },
    ]);
    expect(second.resolved).toBe(0);
    expect(await beadsText(rm, {})).toBe(`${[...lines, two].join('\n')}\n`);
    expect(readyIds(rm)).toEqual(['bd-1']);
    await removeDependency(rm, { task: 'bd-2', depends_on: 'bd-1' });
    expect(await importBeads(rm, { content: '', source: 'f' })).toMatchObject({ resolved: 1 });
    expect(readyIds(rm)).toEqual(['bd-2']);
    await expect(addDependency(rm, { task: 'bd-2', depends_on: 'bd-1' })).rejects.toThrow('bd-2 → bd-1 → bd-2');
  });

  it('keeps tombstones, memories, headers and bad lines, and reports what is no issue with its line', async () => {
    const rm = await openWithProject();
    const lines = [
      '{"_schema":"beads-jsonl/1"}',
      issue('bd-1', { dependencies: [{ issue_id: 'bd-1', depends_on_id: 'bd-1x', type: 'parent' }] }),
      issue('bd-2', { status: 'tombstone', deleted_at: '2026-01-01T00:00:00Z' }),
      '{"_type":"memory","key":"k","value":"v"}',
      '{"id":"../../x","title":"escape"}',
      'not json',
    ];
    const report = await importBeads(rm, { content: lines.join('\n\n'), source: 'f' });
    expect(report).toMatchObject({ created: 1, kept: 3 });
    expect(report.problems.map(({ line, kind }) => `${line} ${kind}`)).toEqual([
      '3 link_missing',
      '9 bad_line',
      '11 bad_line',
    ]);
    expect((await beadsText(rm, {})).trimEnd().split('\n')).toEqual(lines);
  });

  it('ends what was deleted in Beads since, gives back one line for it, and takes it up again when it is back', async () => {
    const rm = await openWithProject();
    const gone = issue('bd-1', { status: 'tombstone', deleted_at: '2026-02-01T00:00:00Z' });
    const waits = issue('bd-2', { dependencies: blocks('bd-2', 'bd-1') });
    await importBeads(rm, { content: [issue('bd-1'), waits].join('\n'), source: 'f' });
    await claim(rm, { worker: 'w1' });
    const running = await importBeads(rm, { content: gone, source: 'f' });
    expect(running.problems).toMatchObject([{ id: 'bd-1', kind: 'running' }]);
    await cancelTask(rm, { task: 'bd-1', now: true });
    const older = await importBeads(rm, { content: gone, source: 'f' });
    expect(older.problems).toMatchObject([{ id: 'bd-1', kind: 'older' }]);
    const now = gone.replace('2026-02-01', '2099-01-01');
    expect(await importBeads(rm, { content: [now, waits].join('\n'), source: 'f' })).toMatchObject({
      updated: 1,
      problems: [],
    });
    expect(await importBeads(rm, { content: now, source: 'f' })).toMatchObject({ updated: 0, problems: [] });
    expect(readyIds(rm)).toEqual(['bd-2']);
    expect(await beadsText(rm, {})).toBe(`${now}\n${waits}\n`);
    const back = issue('bd-1', { updated_at: '2099-02-01T00:00:00Z' });
    await importBeads(rm, { content: back, source: 'f' });
    expect(readyIds(rm)).toEqual(['bd-1']);
    expect(await beadsText(rm, {})).toBe(`${back}\n${waits}\n`);
  });

  it('keeps the order of the file, also after lines were added, moved and reimported in part', async () => {
    const rm = await openWithProject();
    const lines = ['bd-9', 'bd-1', 'bd-5'].map((id) => issue(id));
    lines.splice(1, 0, '{"_type":"memory","key":"k","value":"v"}', 'not json');
    const roundTrip = async (file: readonly string[]): Promise<string[]> => {
      await importBeads(rm, { content: file.join('\n'), source: 'f' });
      return (await beadsText(rm)).trimEnd().split('\n');
    };
    expect(await roundTrip(lines)).toEqual(lines);
    expect(await roundTrip(lines.slice(3))).toEqual(lines.filter((line) => line !== 'not json'));
    lines.splice(2, 0, issue('bd-7'));
    expect(await roundTrip(lines)).toEqual(lines);
    expect(await roundTrip(lines.toReversed())).toEqual(lines.toReversed());
    expect(await roundTrip([...lines.toReversed(), issue('bd-8')])).toEqual([...lines.toReversed(), issue('bd-8')]);
    await addTask(rm, { id: 'bd-0', title: 'Own' });
    expect((await beadsText(rm)).trimEnd().split('\n').at(-1)).toContain('bd-0');
  });

  it('gives a bad line back once, and no longer when it is mended in its file', async () => {
    const rm = await openWithProject();
    const bad = '{"id":"bd-1","title":"T bd-1,"status":"open"}';
    await importBeads(rm, { content: bad, source: 'f' });
    await importBeads(rm, { content: bad, source: 'g' });
    await importBeads(rm, { content: bad, source: 'f' });
    expect(await beadsText(rm, {})).toBe(`${bad}\n`);
    await importBeads(rm, { content: issue('bd-2'), source: 'g' });
    expect(await beadsText(rm, {})).toBe(`${bad}\n${issue('bd-2')}\n`);
    // Inherited property names are not statuses.
    const mended = issue('bd-1', { status: 'constructor', issue_type: 'toString' });
    const { problems } = await importBeads(rm, { content: mended, source: 'f' });
    expect(problems).toMatchObject([
      { kind: 'changed', message: 'status "constructor" is unknown here; it became draft' },
    ]);
    expect(await beadsText(rm, {})).toBe(`${issue('bd-2')}\n${mended}\n`);
  });

  it('changes nothing in a dry run, and nothing with --strict when anything is not as it should be', async () => {
    const rm = await openWithProject();
    const text = [issue('bd-1'), issue('bd-2', { status: 'odd' })].join('\n');
    const report = await importBeads(rm, { content: text, source: 'f', dry_run: true });
    expect(report).toMatchObject({ created: 2, dry_run: true });
    await expect(importBeads(rm, { content: text, source: 'f', strict: true })).rejects.toMatchObject({
      code: 'IMPORT_REFUSED',
    });
    expect(rm.store.reader.get('SELECT count(*) AS n FROM tasks')).toMatchObject({ n: 0 });
    expect(rm.store.reader.get(`SELECT value FROM ringmaster_meta WHERE key = 'cycle_check'`)).toEqual({ value: 'on' });
  });

  it('replaces the links of an issue as a whole', async () => {
    const rm = await openWithProject();
    const both = [issue('bd-1'), issue('bd-2', { dependencies: blocks('bd-2', 'bd-1') })];
    await importBeads(rm, { content: both.join('\n'), source: 'f' });
    expect(readyIds(rm)).toEqual(['bd-1']);
    await importBeads(rm, { content: issue('bd-2', { updated_at: '2026-02-01T00:00:00Z' }), source: 'f' });
    expect(readyIds(rm)).toEqual(['bd-1', 'bd-2']);
  });

  it('imports labels and exports changed ones, apart from the label of a failed task', async () => {
    const rm = await openWithProject();
    const failed = {
      status: 'open',
      labels: ['a', 'ringmaster:failed'],
      metadata: { ringmaster: { status: 'failed' } },
    };
    const lines = [issue('bd-1', { labels: ['b', 'a'] }), issue('bd-2', failed)];
    await importBeads(rm, { content: lines.join('\n'), source: 'f' });
    expect(await beadsText(rm)).toBe(`${lines.join('\n')}\n`);
    const labelled = async (labels: readonly string[]): Promise<string[]> => {
      const query = { limit: 10, state: 'all', search: '', archived: false, labels } as const;
      return (await listTasks(rm, query)).data.map(({ id }) => id).toSorted();
    };
    expect([await labelled(['a']), await labelled(['a', 'b']), await labelled(['ringmaster:failed'])]).toEqual([
      ['bd-1', 'bd-2'],
      ['bd-1'],
      [],
    ]);
    await editTask(rm, { task: 'bd-1', labels: ['c'] });
    await editTask(rm, { task: 'bd-2', labels: [''] });
    await addTask(rm, { id: 'bd-3', title: 'Own', labels: ['d', ' d '] });
    const labels = (await beadsText(rm))
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { labels: unknown }).labels);
    expect(labels).toEqual([['c'], ['ringmaster:failed'], ['d']]);
  });

  it('keeps every field of the current bd export, and changes only what changed here', async () => {
    const rm = await openWithProject();
    const dependencies = [
      {
        issue_id: 'bd-main-a',
        depends_on_id: 'bd-main-b',
        type: 'blocks',
        created_at: '2026-04-18T16:19:12Z',
        metadata: '{}',
        thread_id: 't',
      },
    ];
    // Values that JSON.parse or a rebuilt object would change: large numbers, 1.0, the order of numeric keys, repeated names.
    const head = `{"_type":"issue","id":"bd-main-a","title":"A","description":"d","design":"Use a tent","acceptance_criteria":"It stands","notes":"n","spec_id":"s-1","status":"open","priority":1,"issue_type":"feature","owner":"amy@example.com","estimated_minutes":30,"created_at":"2026-04-18T16:19:12.123456789-05:00","created_by":"amy","updated_at":"2026-04-18T16:30:16Z","due_at":"2026-05-01T00:00:00Z","external_ref":"gh-9","source_system":"github","metadata":{"10":1.0,"2":90071992547409931},"compaction_level":1,"original_size":12,`;
    const tail = `"dependencies":${JSON.stringify(dependencies)},"comments":[{"id":"c1","issue_id":"bd-main-a","author":"amy","text":"hm","created_at":"2026-04-18T16:30:16Z"}],"timeout":9223372036854775807,"waiters":["a"],"mol_type":"work","work_type":"mutex","dependency_count":1,"dependent_count":0,"comment_count":1,"parent":"bd-gone"}`;
    const labels = '"labels":["ui"],';
    const other = issue('bd-main-b', { _type: 'issue', is_template: true });
    const text = `${head}${labels}${tail}\n${other}\n`;
    expect(await importBeads(rm, { content: text, source: 'f' })).toMatchObject({ created: 2, problems: [] });
    expect(await beadsText(rm)).toBe(text);
    expect(readyIds(rm)).toEqual([]);
    expect(showTask(rm, { task: 'bd-main-a' }).beads_fields.map(({ name }) => name)).toEqual([
      'acceptance_criteria',
      'design',
      'notes',
      'spec_id',
      'owner',
      'created_by',
      'due_at',
    ]);
    await editTask(rm, { task: 'bd-main-a', labels: ['ui', 'tent'] });
    const [changed] = (await beadsText(rm)).split('\n');
    const stamp = /"updated_at":"[^"]*"/;
    expect(changed?.replace(stamp, '')).toBe(`${head}"labels":["ui","tent"],${tail}`.replace(stamp, ''));
    await editTask(rm, { task: 'bd-main-a', status: 'draft' });
    expect((await beadsText(rm)).split('\n')[0]).toContain(
      '"metadata":{"10":1.0,"2":90071992547409931,"ringmaster":{"status":"draft"}}',
    );
    await removeDependency(rm, { task: 'bd-main-a', depends_on: 'bd-main-b' });
    const unlinked = (await beadsText(rm)).split('\n')[0];
    expect(unlinked).toContain('"dependency_count":0,"dependent_count":0,"comment_count":1}');
    await addTask(rm, { id: 'bd-main-c', title: 'Own', estimate_minutes: 2.5 });
    expect((await beadsText(rm)).split('\n')[2]).toMatch(/^\{"_type":"issue","id":"bd-main-c".*"estimated_minutes":3,/);
  });

  it('names the command to run first for a project that Beads stores in Dolt', async () => {
    const rm = await openWithProject();
    const folder = join(temporaryFolder(), '.beads');
    mkdirSync(join(folder, 'embeddeddolt'), { recursive: true });
    const path = join(folder, 'issues.jsonl');
    for (const missing of [path, folder, dirname(folder)]) {
      await expect(importBeadsFile(rm, { path: missing })).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
        hint: expect.stringContaining('bd export -o .beads/issues.jsonl') as string,
      });
    }
    const plain = join(temporaryFolder(), 'issues.jsonl');
    writeFileSync(plain, issue('bd-2'));
    expect(await importBeadsFile(rm, { path: plain })).toMatchObject({ created: 1, note: null });
    writeFileSync(path, issue('bd-1'));
    expect(await importBeadsFile(rm, { path })).toMatchObject({
      created: 1,
      note: expect.stringContaining('bd export') as string,
    });
  });

  it('treats work that somebody outside has begun as taken', async () => {
    const rm = await openWithProject();
    await importBeads(rm, { content: issue('bd-1', { status: 'in_progress', assignee: 'amy' }), source: 'f' });
    expect(await claim(rm, { worker: 'w1' })).toBeUndefined();
    expect(existingTask(rm.store.reader, 'bd-1')).toMatchObject({ status: 'in_progress', external_owner: 'amy' });
    await editTask(rm, { task: 'bd-1', status: 'ready' });
    expect((await claim(rm, { worker: 'w1' }))?.task.id).toBe('bd-1');
  });
});
