import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dataOf, run } from '../../test/command.ts';
import { git, leftProcesses, makeProject, runOnce, startRun, until } from '../../test/running.ts';
import type { Received } from '../../test/webhook.ts';
import type { Task } from '../model/task.ts';
import type { Attempt } from '../store/attempts.ts';

const programs = resolve(import.meta.dirname, '../../test/programs');

interface Shown {
  readonly task: Task;
  readonly attempts: readonly Attempt[];
  readonly usage: { readonly usd: number; readonly tokens: number };
}
const show = (folder: string, id: string): Shown => dataOf<Shown>(folder, 'task', 'show', id);

const add = (folder: string, title: string, description: string, ...args: string[]): string =>
  dataOf<{ id: string }>(folder, 'task', 'add', title, '-d', description, ...args).id;

function told(folder: string): Received[] {
  const lines = readFileSync(join(folder, 'told'), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Received);
}

/** Writes settings with a budget and a fake agent that reports its cost and tokens. */
function limit(folder: string, budget: string, settings = ''): void {
  writeFileSync(
    join(folder, 'ringmaster.toml'),
    `[storage]\nbackup_enabled = false\n[run]\ngrace_seconds = 0.5\ndrain_seconds = 0.3\n${settings}
[budget]\n${budget}\n[notifications]\ncommand = ["${programs}/fake-notifier.mjs", "told"]
[[workers]]\nname = "agent"\ntype = "claude-code"\nmax_concurrent = 4\ncommand = "${programs}/fake-agent.mjs"\n`,
  );
}

describe('a budget', () => {
  it('of a task ends the attempt before the next turn, says how to continue, and tells people once', async () => {
    const folder = makeProject();
    limit(folder, 'task_usd = 0.03', 'max_iterations = 5\ntest_command = ["test", "-f", "never"]');
    const id = add(folder, 'Hopeless', 'EDIT hello.txt hello');
    await runOnce(folder);
    await runOnce(folder);
    const { task, attempts, usage } = show(folder, id);
    expect(usage.usd).toBeCloseTo(0.04);
    expect(attempts).toMatchObject([{ outcome: 'blocked', failure_class: null }]);
    const reason = `The budget of task ${id} is used up: 0.04 of 0.03 USD. Raise task_usd under [budget] in ringmaster.toml, then 'ringmaster task ready ${id}'`;
    expect(task).toMatchObject({ status: 'blocked', failures: 0, blocked_reason: reason });
    expect(told(folder)).toMatchObject([{ situation: 'budget_reached', task: id, text: reason }]);
    expect(run(folder, ['inbox']).stdout).toContain('0.04 of 0.03 USD');
    expect(run(folder, ['task', 'show', id]).stdout).toMatch(/cost\s+0\.04 USD, 96 tokens/);
    expect(run(folder, ['worker', 'stats']).stdout).toMatch(/96\s+0\.04/);
    limit(folder, 'task_usd = 1');
    run(folder, ['task', 'ready', id]);
    await runOnce(folder);
    expect(show(folder, id).task.status).toBe('done');
  });

  it('counts what Aider reports in its text, and does not stop it before it has applied its changes', async () => {
    const folder = makeProject();
    limit(folder, 'task_usd = 0.03', 'max_iterations = 5\ntest_command = ["test", "-f", "never"]');
    const program = join(folder, '.git', 'aider');
    const report = 'Tokens: 2.3k sent, 112 received. Cost: $0.04 message, $0.04 session.';
    writeFileSync(program, `#!/bin/sh\necho '${report}'\nsleep 0.3\necho x >> x.txt\n`, { mode: 0o755 });
    const toml = join(folder, 'ringmaster.toml');
    const worker = `[[workers]]\nname = "aider-1"\ntype = "aider"\ncommand = "${program}"\n`;
    writeFileSync(toml, `${readFileSync(toml, 'utf8')}${worker}`);
    const id = add(folder, 'Hopeless', 'It fails', '--worker', 'aider');
    await runOnce(folder);
    const { task, usage } = show(folder, id);
    expect(usage).toEqual({ usd: 0.04, tokens: 2412 });
    expect(task).toMatchObject({ status: 'blocked', failures: 0 });
    expect(git(folder, 'show', `ringmaster/${id}-a1:x.txt`)).toBe('x');
  });

  it('of the day lets finished work count, starts nothing more, and allows it again when raised', async () => {
    const folder = makeProject();
    limit(folder, 'day_usd = 0.02', 'slots = 1');
    const [first, second] = [
      add(folder, 'First', 'EDIT a.txt 1', '--priority', 'P0'),
      add(folder, 'Second', 'EDIT b.txt 2'),
    ];
    const output = await runOnce(folder);
    await runOnce(folder);
    expect(show(folder, first).task.status).toBe('done');
    expect(show(folder, second)).toMatchObject({ task: { status: 'ready' }, attempts: [] });
    expect(output).toMatch(/Second: The budget of \d{4}-\d\d-\d\d is used up: 0\.02 of 0\.02 USD\. Raise day_usd/);
    expect(run(folder, ['why', second]).stdout).toContain('Raise day_usd');
    expect(run(folder, ['status']).stdout).toMatch(/budget\s+The budget of/);
    expect(run(folder, ['claim', 'hand']).code).toBe(3);
    expect(told(folder).map(({ situation }) => situation)).toEqual(['budget_reached']);
    limit(folder, 'day_usd = 1');
    await runOnce(folder);
    expect(show(folder, second).task.status).toBe('done');
    expect(dataOf<object[]>(folder, 'task', 'list')).toMatchObject([
      { cost_usd: 0.02, tokens: 48 },
      { cost_usd: 0.02, tokens: 48 },
    ]);
  });

  it('of a project that one task uses up ends the agents of the others without blaming their tasks', async () => {
    const folder = makeProject();
    limit(folder, 'project_usd = 5');
    const hangs = add(folder, 'Hangs', 'EDIT a.txt 1\nHANG');
    const running = startRun(folder, ['--once']);
    await until('the agent runs', () => show(folder, hangs).task.status === 'in_progress');
    const costly = add(folder, 'Costly', 'EDIT b.txt 2\nSPEND 6');
    await running.ended;
    expect(show(folder, costly).task.status).toBe('done');
    expect(show(folder, hangs)).toMatchObject({
      task: { status: 'ready', failures: 0 },
      attempts: [{ outcome: 'released', reason: expect.stringContaining('6.00 of 5.00 USD') as string }],
    });
    expect(leftProcesses(folder)).toEqual([]);
    expect(told(folder).map(({ situation }) => situation)).toEqual(['budget_reached']);
  });

  it('in tokens stops an agent in the middle of its turn, and counts what it reported until then', async () => {
    const folder = makeProject();
    limit(folder, 'task_tokens = 1000');
    const id = add(folder, 'Thinks', 'THINK 600\nTHINK 500\nHANG');
    await runOnce(folder);
    expect(show(folder, id)).toMatchObject({
      task: { status: 'blocked', blocked_reason: expect.stringContaining('1100 of 1000 tokens') as string },
      usage: { tokens: 1100 },
    });
  });

  it('counts what an agent had reported when its supervisor was killed', async () => {
    const folder = makeProject();
    limit(folder, 'task_tokens = 1000');
    const id = add(folder, 'Thinks', 'THINK 600\nHANG');
    const killed = startRun(folder);
    const log = join(folder, '.ringmaster/tasks', id, 'iterations/001.log');
    await until('the agent thinks', () => existsSync(log) && readFileSync(log, 'utf8').includes('"text":"Hm."'));
    killed.child.kill('SIGKILL');
    await killed.ended;
    await runOnce(folder);
    expect(show(folder, id)).toMatchObject({
      task: { status: 'blocked', blocked_reason: expect.stringContaining('1200 of 1000 tokens') as string },
      usage: { tokens: 1200 },
    });
  });
});
