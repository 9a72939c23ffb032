import { beforeEach, describe, expect, it } from 'vitest';

import { dataOf, failureOf, run } from '../../test/command.ts';
import { temporaryFolder } from '../../test/harness.ts';
import { program } from './program.ts';

interface Claimed {
  readonly token: number;
  readonly task: { readonly id: string };
}
interface Shown {
  readonly task: { readonly status: string; readonly blocked_reason: string | null };
}
interface Event {
  readonly event_type: string;
  readonly actor_type: string;
  readonly actor_id: string;
}

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  run(folder, ['init']);
});

const add = (title: string): string => dataOf<{ id: string }>(folder, 'task', 'add', title).id;
const claim = (): Claimed => dataOf<Claimed>(folder, 'claim', 'agent-7');
const statusOf = (id: string): string => dataOf<Shown>(folder, 'task', 'show', id).task.status;

describe('an agent that only knows "ringmaster prime"', () => {
  it('claims, asks for a decision, gets the answer and completes the task under its own name', () => {
    const id = add('Choose a colour');
    const { token } = claim();
    expect(run(folder, ['prompt', id]).stdout).toContain(`ringmaster report ${id} --token ${token} -s completed`);
    const asked = ['decide', id, 'Which colour?', '-o', 'red', '-o', 'blue', '--token', String(token)];
    const reasons = ['--context', 'The tent is red', '--recommendation', 'blue'];
    const decision = run(folder, [...asked, ...reasons]).stdout.trim();
    for (const list of [
      ['decide', '--list'],
      ['task', 'show', id],
    ]) {
      const { stdout } = run(folder, list);
      for (const text of ['red | blue', 'The tent is red', 'recommended: blue']) expect(stdout).toContain(text);
    }
    expect(statusOf(id)).toBe('blocked');
    expect(failureOf(folder, 'heartbeat', '--token', String(token))).toBe('4 STALE_TOKEN');
    const inVain = run(folder, ['claim', 'agent-7', '--json']);
    expect(inVain.code).toBe(3);
    expect(JSON.parse(inVain.stdout)).toMatchObject({
      data: { task: null, token: null, reason: `${id}: it is blocked, it waits for the decision ${decision}` },
    });
    expect(run(folder, ['why', id]).stdout).toContain(`it waits for the decision ${decision}\n`);
    expect(run(folder, ['task', 'list']).stdout).toMatch(new RegExp(`^${decision} .* unanswered +decision`, 'mu'));
    expect(run(folder, ['answer', decision, 'blue']).code).toBe(0);
    expect(statusOf(id)).toBe('ready');
    const again = claim();
    expect(run(folder, ['prompt', id]).stdout).toContain('blue');
    const shown = run(folder, ['task', 'show', id]).stdout;
    expect(shown).toContain('answer: blue (answered by tester)');
    expect(shown).toMatch(
      new RegExp(`attempt 1 by agent-7: blocked at .*; Waiting for the answer to ${decision}`, 'u'),
    );
    expect(shown).toContain(`attempt 2 by agent-7: token ${again.token}`);
    run(folder, ['report', id, '--token', String(again.token), '-s', 'completed']);
    expect(statusOf(id)).toBe('done');
    const events = dataOf<Event[]>(folder, 'events');
    const own = events.filter(({ event_type: type }) =>
      /^(task_(assigned|blocked|completed)|worker_added)$|_asked$/u.test(type),
    );
    expect(own.map(({ actor_type: type, actor_id: name }) => `${type} ${name}`)).toEqual(
      Array.from({ length: 6 }, () => 'worker agent-7'),
    );
  });

  it('cannot complete a task with an open decision; reported as blocked, the answer makes it ready', () => {
    const id = add('Choose a name');
    const { token } = claim();
    const decision = run(folder, ['decide', id, 'Which name?']).stdout.trim();
    const report = (...args: string[]) => ['report', id, '--token', String(token), '-s', ...args];
    expect(failureOf(folder, ...report('completed'))).toBe('4 DECISION_OPEN');
    expect(run(folder, report('blocked', '-r', 'I cannot know')).code).toBe(0);
    expect(run(folder, ['task', 'show', id]).stdout).toContain('I cannot know');
    expect(run(folder, ['answer', decision, 'Coco']).code).toBe(0);
    expect(statusOf(id)).toBe('ready');
  });

  it('finds every command that it names', () => {
    const { stdout } = run(folder, ['prime']);
    const named = [...stdout.matchAll(/`ringmaster ([a-z]+)(?: ([a-z]+)\b)?/gu)].map(([, name, second]) => ({
      name,
      second,
    }));
    expect(named.length).toBeGreaterThan(8);
    for (const { name, second } of named) {
      const found = program.commands?.find((one) => one.name === name);
      expect(found, name).toBeDefined();
      const below = found?.commands?.map((one) => one.name) ?? [];
      if (below.length > 0 && second !== undefined) expect(below).toContain(second);
    }
  });
});

describe('explanations', () => {
  it('give the score of the list, and none for a finished task', () => {
    const id = add('Score');
    const [listed] = dataOf<{ combined_priority: number }[]>(folder, 'task', 'list');
    const score = listed!.combined_priority.toFixed(3);
    expect(run(folder, ['why', id]).stdout).toContain(`score ${score}`);
    expect(run(folder, ['task', 'list']).stdout).toContain(score);
    run(folder, ['task', 'done', id]);
    expect(run(folder, ['why', id]).stdout).toBe(`${id} Score\nThe task is done, so it is no longer ranked.\n`);
    expect(run(folder, ['task', 'list']).stdout).not.toContain(score);
  });

  it('include the last failure, and who did it when the environment has a token', () => {
    const id = add('Fail');
    const { token } = claim();
    run(folder, [
      'report',
      id,
      '--token',
      String(token),
      '-s',
      'failed',
      '-r',
      'the ring is locked',
      '-o',
      '/dev/null',
    ]);
    const shown = run(folder, ['task', 'show', id]).stdout;
    expect(shown).toContain('last failure: the ring is locked');
    expect(shown).toContain(`log: ringmaster logs ${id}`);
  });
});
