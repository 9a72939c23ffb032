import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { programProblems } from '@holdfast/cli';
import { check } from '@holdfast/operation';
import { beforeAll, describe, expect, it, vi } from 'vitest';

import { dataOf, documentOf, failureOf, run, start } from '../../test/command.ts';
import { temporaryFolder } from '../../test/harness.ts';
import { git } from '../../test/held.ts';
import { readyTasks } from '../operations/graph.ts';
import { claimTask, reportTask } from '../operations/queue.ts';
import { showTask } from '../operations/tasks.ts';
import { program } from './program.ts';

interface Shown {
  readonly id: string;
  readonly status: string;
}
interface Claimed {
  readonly token: number;
  readonly task: Shown;
}

const patient = { timeout: 60_000, interval: 200 };

let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  run(folder, ['init', '--name', 'Circus']);
});

const add = (...args: string[]): string => dataOf<Shown>(folder, 'task', 'add', ...args).id;

describe('ringmaster', () => {
  it('is described soundly', () => {
    expect(programProblems(program)).toEqual([]);
  });

  it('lays out the directory of the design document', () => {
    for (const name of ['ringmaster.db', 'projects', 'tasks', 'workers', 'exports', 'backups']) {
      expect(existsSync(join(folder, '.ringmaster', name)), name).toBe(true);
    }
    expect(run(folder, ['init']).code).toBe(0);
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    expect(dataOf<unknown[]>(join(folder, 'deep/er'), 'project', 'list')).toHaveLength(1);
  });

  it('names the first project after the folder, and keeps its state out of the repository from the start', () => {
    const shop = join(temporaryFolder(), 'My Shop');
    mkdirSync(shop);
    git(shop, 'init', '-q');
    expect(run(shop, ['init']).stdout).toContain('Project my-shop');
    expect(dataOf(shop, 'project', 'list')).toMatchObject([{ id: 'my-shop', name: 'My Shop' }]);
    git(shop, 'add', '--all');
    expect(git(shop, 'status', '--porcelain')).toBe('A  ringmaster.toml');
    run(shop, ['init']);
    expect(dataOf(shop, 'project', 'list')).toHaveLength(1);
  });

  it('imports and exports a large file byte for byte without holding it in memory', () => {
    const other = temporaryFolder();
    run(other, ['init']);
    const ids = Array.from({ length: 40_000 }, (_, n) => `bd-${(n * 7_919) % 40_000}`);
    const lines = ids.map((id, n) =>
      JSON.stringify({
        id,
        title: `Issue ${id}`,
        description: 'Some text that is reasonably long. '.repeat(10),
        status: 'open',
        priority: 2,
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-02T00:00:00Z',
        ...(n === 0 ? {} : { dependencies: [{ issue_id: id, depends_on_id: ids[n - 1], type: 'blocks' }] }),
      }),
    );
    writeFileSync(join(other, 'big.jsonl'), `${lines.join('\n')}\n`);
    const preload = join(other, 'memory.cjs');
    const report = 'process.resourceUsage().maxRSS';
    writeFileSync(preload, `process.on('exit', () => require('fs').writeFileSync('memory', String(${report})))`);
    const megabytes = (...args: string[]): number => {
      const { code, stderr } = run(other, args, '', { NODE_OPTIONS: `-r ${preload}` });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return Number(readFileSync(join(other, 'memory'), 'utf8')) / 1_000;
    };
    expect(megabytes('import', '--from-beads', 'big.jsonl')).toBeLessThan(250);
    expect(megabytes('export', '--to-beads', 'out.jsonl')).toBeLessThan(250);
    expect(readFileSync(join(other, 'out.jsonl')).equals(readFileSync(join(other, 'big.jsonl')))).toBe(true);
  });

  it('sets for one project what ringmaster.toml says for all', () => {
    const test_command = ['npm', 'test', '--silent'];
    expect(run(folder, ['project', 'set', 'test_command', '--', ...test_command]).stdout).toBe(
      'circus: test_command is npm test --silent\n',
    );
    expect(failureOf(folder, 'project', 'set', 'auto_merge', 'maybe')).toBe('2 SETTING_INVALID');
    expect(dataOf(folder, 'project', 'show')).toMatchObject({ settings: { test_command }, in_force: { test_command } });
    expect(run(folder, ['project', 'show', 'circus']).stdout).toMatch(/test_command +npm test --silent +project/u);
    expect(run(folder, ['project', 'unset', 'test_command']).stdout).toContain(
      'test_command now comes from ringmaster.toml: -',
    );
  });

  it('leads a task from idea to done, with answers that fit their definitions', () => {
    expect(run(folder, ['worker', 'add', 'w1', '-t', 'claude-code']).code).toBe(0);
    expect(run(folder, ['worker', 'off', 'w1']).stdout).toBe('w1 is offline\n');
    expect(run(folder, ['worker', 'on', 'w1']).stdout).toBe('w1 is idle\n');
    expect(run(folder, ['claim', 'w1'])).toMatchObject({
      code: 3,
      stdout: 'No task is available: no unfinished task is left for workers\n',
    });
    expect(run(folder, ['task', 'list']).stdout).toContain('No tasks match.');
    for (const empty of ['inquiries', 'decide --list', 'ask --list', 'backup list', 'backup verify', 'chat', 'reap']) {
      expect(run(folder, empty.split(' ')).stdout, empty).toMatch(/^No .+\n$/u);
    }
    expect(failureOf(folder, 'run', '--dry-run')).toBe('2 NO_WORKERS');
    const epic = add('Sign in', '--type', 'epic');
    const first = add('Tokens', '--parent', epic);
    const second = add('Sessions', '--parent', epic, '--depends-on', first);
    expect([first, second]).toEqual([`${epic}.1`, `${epic}.2`]);
    expect(failureOf(folder, 'dep', 'add', first, second)).toBe('4 DEPENDENCY_CYCLE');
    expect(failureOf(folder, 'task', 'edit', first)).toBe('2 MISSING_OPTION');
    const ready = documentOf(folder, 'ready');
    expect(check(readyTasks.output, { data: ready.data, next_cursor: null })).not.toHaveProperty('issues');
    expect((ready.data as Shown[]).map(({ id }) => id)).toEqual([first]);
    expect(run(folder, ['next']).stdout).toContain(first);
    const listed = run(folder, ['task', 'list']).stdout;
    expect(listed).toMatch(new RegExp(`^${first} .* ready +task`, 'mu'));
    expect(listed).toMatch(new RegExp(`^${second} .* waiting +task`, 'mu'));
    expect(run(folder, ['why', second]).stdout).toContain(`it waits for ${first} (ready)`);
    expect(run(folder, ['why', first]).stdout).toMatch(/score (\d\.\d+)$[^]*^= \1$/m);
    const claimed = documentOf(folder, 'pull-bead', 'w1');
    expect(check(claimTask.output, claimed.data)).not.toHaveProperty('issues');
    const { token, task } = claimed.data as Claimed;
    expect(task.id).toBe(first);
    expect(dataOf<{ cancel: boolean }>(folder, 'heartbeat', '--token', String(token)).cancel).toBe(false);
    writeFileSync(join(folder, 'out.txt'), 'all tests passed\n');
    const reported = documentOf(
      folder,
      'report-result',
      first,
      '--token',
      String(token),
      '-s',
      'completed',
      '-o',
      join(folder, 'out.txt'),
    );
    expect(check(reportTask.output, reported.data)).not.toHaveProperty('issues');
    expect(failureOf(folder, 'report', first, '--token', String(token), '-s', 'failed')).toBe('4 STALE_TOKEN');
    const kept = join(folder, '.ringmaster/tasks', first);
    expect(readFileSync(join(kept, 'output.log'), 'utf8')).toBe('all tests passed\n');
    expect(JSON.parse(readFileSync(join(kept, 'iterations/metadata.json'), 'utf8'))).toMatchObject({
      total_iterations: 1,
      successful_iteration: 1,
      iterations: [{ number: 1, result: 'success' }],
    });
    const shown = documentOf(folder, 'task', 'show', first);
    expect(check(showTask.output, shown.data)).not.toHaveProperty('issues');
    expect(run(folder, ['decide', second, 'Which store?', '-o', 'SQLite']).stdout.trim()).toBe(`${second}-d1`);
    expect(dataOf<Shown[]>(folder, 'ready')).toEqual([]);
    expect(run(folder, ['answer', `${second}-d1`, 'SQLite']).code).toBe(0);
    expect(dataOf<Shown[]>(folder, 'ready').map(({ id }) => id)).toEqual([second]);
    expect(run(folder, ['graph', '--format', 'dot', '--all']).stdout).toContain(`"${first}" -> "${second}"`);
    expect(run(folder, ['dep', 'tree', second]).stdout).toContain(`  ${first} Tokens (done) [blocks]`);
    expect(dataOf<{ ready: number }>(folder, 'status').ready).toBe(1);
    expect(run(folder, ['prime']).stdout).toContain('ringmaster claim');
  });

  it('takes a Beads file and gives it back; what it cannot take is reported or refused', () => {
    const other = temporaryFolder();
    run(other, ['init', '-n', 'Beads']);
    const line = (id: string, more: object = {}): string =>
      JSON.stringify({
        id,
        title: id,
        status: 'open',
        priority: 1,
        issue_type: 'bug',
        created_at: '2026-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00.000000001+02:00',
        x: { kept: true },
        ...more,
      });
    const text = `${[line('bd-1'), line('bd-2', { dependencies: [{ issue_id: 'bd-2', depends_on_id: 'bd-9', type: 'blocks' }] })].join('\n')}\n`;
    writeFileSync(join(other, 'in.jsonl'), text);
    expect(dataOf(other, 'import', '--from-beads', 'in.jsonl', '--dry-run')).toMatchObject({
      created: 2,
      dry_run: true,
    });
    expect(failureOf(other, 'import', '--from-beads', 'in.jsonl', '--strict')).toBe('2 IMPORT_REFUSED');
    expect(run(other, ['import', '--from-beads', 'in.jsonl', '--dry-run']).stdout).toMatch(
      /; \d+ links, and 1 more that cannot be made yet \(dry run\)/u,
    );
    expect(dataOf(other, 'import', '--from-beads', 'in.jsonl')).toMatchObject({ created: 2, unresolved: 1 });
    expect(run(other, ['export', '--to-beads', 'out.jsonl']).code).toBe(0);
    expect(readFileSync(join(other, 'out.jsonl'), 'utf8')).toBe(text);
    run(other, ['export', '--simple']);
    expect(readFileSync(join(other, '.ringmaster/exports/beads.jsonl'), 'utf8').split('\n')[0]).toBe(
      '{"id":"bd-1","title":"bd-1","status":"open","priority":"P1","deps":[]}',
    );
    expect(failureOf(other, 'import', '--from-beads', 'nowhere')).toBe('3 FILE_UNREADABLE');
  });

  it('shows escape sequences in titles, imported or not, as text', () => {
    const other = temporaryFolder();
    run(other, ['init']);
    const evil = '\u001b[2J\u001b]0;title\u0007';
    const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
    const issue = { id: 'bd-1', title: `imported ${evil}`, description: evil, status: 'open', issue_type: 'task' };
    writeFileSync(join(other, 'in.jsonl'), `${JSON.stringify({ ...issue, ...times })}\n`);
    run(other, ['import', '--from-beads', 'in.jsonl']);
    run(other, ['task', 'add', `own ${evil}`, '--depends-on', 'bd-1']);
    run(other, ['decide', 'bd-1', `Which ${evil}?`, '-o', `this ${evil}`]);
    const lines = ['task list', 'ready', 'task show bd-1', 'why bd-1', 'graph', 'graph --format dot', 'inbox'];
    for (const line of [...lines, 'inquiries', 'events', 'prompt bd-1']) {
      const { code, stdout } = run(other, line.split(' '));
      expect([line, code, stdout.includes('\u001b')]).toEqual([line, 0, false]);
    }
    expect(run(other, ['task', 'list']).stdout).toContain(String.raw`imported \x1b[2J`);
  });

  it('backs up, goes back and forth, undoes, and finds nothing wrong', () => {
    const other = temporaryFolder();
    run(other, ['init', '-n', 'Time']);
    const { id } = dataOf<Shown>(other, 'task', 'add', 'One');
    const { revision } = dataOf<{ revision: number }>(other, 'status');
    run(other, ['task', 'done', id, '-r', 'easy']);
    const backup = dataOf<{ path: string }>(other, 'backup');
    const restored = dataOf<{ undo_with: number }>(other, 'restore', '--at', String(revision));
    expect(dataOf<{ task: Shown }>(other, 'task', 'show', id).task.status).toBe('ready');
    run(other, ['restore', '--at', String(restored.undo_with)]);
    expect(dataOf<{ task: Shown }>(other, 'task', 'show', id).task.status).toBe('done');
    run(other, ['task', 'add', 'Two']);
    expect(run(other, ['undo']).stdout).toBe('Undone: task add Two\n');
    expect(run(other, ['restore', '--from', backup.path]).code).toBe(0);
    expect(dataOf<Shown[]>(other, 'task', 'list').map(({ status }) => status)).toEqual(['done']);
    execFileSync('sqlite3', [join(other, '.ringmaster/ringmaster.db'), `.backup '${other}/plain.db'`]);
    run(other, ['task', 'add', 'Three']);
    expect(run(other, ['restore', '--from', 'plain.db']).code).toBe(0);
    expect(dataOf<Shown[]>(other, 'task', 'list').map(({ status }) => status)).toEqual(['done']);
    expect(run(other, ['doctor']).code).toBe(0);
    expect(run(other, ['backup', 'verify']).code).toBe(0);
    expect(run(other, ['maintain', '--once']).code).toBe(0);
    expect(run(other, ['cleanup']).code).toBe(0);
    expect(dataOf<{ event_type: string; actor_id: string }[]>(other, 'events', id)).toEqual(
      expect.arrayContaining([expect.objectContaining({ event_type: 'task_created', actor_id: 'tester' })]),
    );
  });

  it('shows what a worker is told about a task, explains it, and remembers', () => {
    const other = temporaryFolder();
    run(other, ['init', '-n', 'Circus']);
    const { id } = dataOf<Shown>(other, 'task', 'add', 'Sell tickets', '-d', 'In tickets.ts');
    expect(failureOf(other, 'prompt', 'recorded', id)).toBe('3 PROMPT_NOT_FOUND');
    writeFileSync(join(other, 'tickets.ts'), 'export const tickets = 5;\n');
    mkdirSync(join(other, '.ringmaster/projects/circus'), { recursive: true });
    writeFileSync(join(other, '.ringmaster/projects/circus/conventions.md'), 'Tabs.\n');
    const text = run(other, ['prompt', id]).stdout;
    expect(text).toContain(`# Task: ${id}\n\n## Objective\nSell tickets\n`);
    expect(text).toContain('## Project Context\nTabs.\n');
    expect(text).toContain('`tickets.ts`\n```ts\nexport const tickets = 5;\n```');
    const explained = run(other, ['prompt', id, '--explain']).stdout;
    expect(explained).toMatch(/project +whole +\d+ +0\.95 +conventions\.md +always/);
    expect(explained).toMatch(/code +whole +\d+ +[\d.]+ +tickets\.ts +the task names it/);
    const prompt = dataOf<{ text: string; sha256: string }>(other, 'prompt', id);
    expect(prompt.text.trimEnd()).toBe(text.trimEnd());
    expect(dataOf<{ sha256: string; purpose: string }>(other, 'prompt', 'recorded', id)).toMatchObject({
      sha256: prompt.sha256,
      purpose: 'shown',
    });
  });

  it('keeps by itself and tells of events as they happen, until it is stopped', async () => {
    const other = temporaryFolder();
    run(other, ['init', '-n', 'Live']);
    const maintainer = start(other, ['maintain', '--json']);
    const follower = start(other, ['events', '--follow', '--type', 'task_created', '--json']);
    await vi.waitFor(() => expect(maintainer.stdout()).toContain('backed up'), patient);
    expect(failureOf(other, 'maintain')).toBe('4 MAINTENANCE_RUNNING');
    // Adds tasks until the follower reports one, because the exact time of its start is unknown.
    await vi.waitFor(() => {
      run(other, ['task', 'add', 'Something']);
      expect(follower.stdout()).toContain('"event_type":"task_created"');
    }, patient);
    await vi.waitFor(() => expect(dataOf(other, 'status')).toMatchObject({ ranks_are_current: true }), patient);
    for (const one of [maintainer, follower]) {
      one.child.kill('SIGTERM');
      await one.ended;
    }
    expect(run(other, ['maintain', '--once']).code).toBe(0);
    expect(run(other, ['doctor']).code).toBe(0);
  });

  it('says what is wrong, with a code that tells the kind', () => {
    expect(failureOf(temporaryFolder(), 'ready')).toBe('3 NOT_INITIALISED');
    expect(failureOf(folder, 'task', 'show', 'nothing')).toBe('3 TASK_NOT_FOUND');
    expect(failureOf(folder, 'claim', '../nobody')).toBe('2 ID_INVALID');
    expect(failureOf(folder, 'task', 'add', 'x', '--priority', 'P9')).toBe('2 INVALID_ARGUMENT');
    expect(failureOf(folder, 'task', 'add', 'x', '--id', '../../x')).toBe('2 ID_INVALID');
    // A misspelt project must not look like one without work.
    for (const command of [['ready'], ['next'], ['claim', 'w1'], ['status']]) {
      expect(failureOf(folder, ...command, '-p', 'cricus')).toBe('3 PROJECT_NOT_FOUND');
    }
    expect(run(folder, ['task', 'add', 'x', '-p', 'P1']).stderr).toContain('--priority P1');
    expect(failureOf(folder, 'restore', '--from', 'nothing.db')).toBe('3 FILE_UNREADABLE');
    const other = temporaryFolder();
    writeFileSync(join(other, 'ringmaster.toml'), '[storage]\nspeed = 9\n');
    expect(run(other, ['init']).stderr).toContain('ringmaster.toml:2: unknown key "speed" in [storage]');
  });

  it('serves an agent over the Model Context Protocol', () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const messages = [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'ready', arguments: {} } },
      { id: 4, method: 'tools/call', params: { name: 'show', arguments: { task: 'none' } } },
      { id: 5, method: 'tools/call', params: { name: 'report', arguments: { task: 'x', token: 1, status: 'won' } } },
    ];
    const { stdout, code } = run(
      folder,
      ['mcp'],
      messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''),
    );
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { id: number; result: { tools?: unknown[]; isError?: boolean } })
      .toSorted((left, right) => left.id - right.id);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(answers[1]?.result.tools).toHaveLength(7);
    expect(answers.map(({ result }) => result.isError)).toEqual([undefined, undefined, false, true, true]);
    expect(JSON.stringify(answers[3])).toContain('TASK_NOT_FOUND: ');
    expect(JSON.stringify(answers[4])).toContain('INPUT_INVALID: status: ');
  });
});
