/**
 * A day in the life of an agent that uses the built command. After each step, compares the raw keys with np's design
 * document.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event, Task } from '../src/index.ts';
import { directoryHash, taskHash } from '../src/model/ids.ts';
import { newPlace, type Place } from './built-np.ts';

type Keys = Readonly<Record<string, string>>;

/**
 * Returns the sorted keys with their values. Replaces parts that differ between runs with names, and JSON values with
 * `{}`.
 */
function layout(keys: Keys, names: Readonly<Record<string, string>>): readonly string[] {
  const named = (text: string): string =>
    Object.entries(names)
      .reduce((result, [name, value]) => result.replaceAll(value, name), text)
      .replaceAll(/(archived|events)\/[0-9a-f]{16}\//gu, '$1/TS/');
  return Object.entries(keys)
    .map(([key, value]) => (value.startsWith('{') ? `${named(key)} {}` : `${named(key)} ${named(value)}`.trimEnd()))
    .toSorted();
}

const seq = (number: number): string => number.toString(16).padStart(16, '0');
const events = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => [
    `s/SID/evt/${seq(from + index)} {}`,
    `idx/events/TS/SID/${seq(from + index)}`,
  ]).flat();

class Day {
  readonly place: Place;
  readonly sub: string;
  readonly names: Record<string, string>;
  constructor() {
    this.place = newPlace();
    this.sub = join(this.place.project, 'src/deep');
    mkdirSync(this.sub, { recursive: true });
    this.names = { DIR: directoryHash(this.place.project) };
  }

  layout(): readonly string[] {
    return layout(this.place.keys(), this.names);
  }

  event(number: number): Event {
    const key = `s/${this.names['SID']}/evt/${seq(number)}`;
    return JSON.parse(this.place.keys(key)[key] ?? 'null') as Event;
  }

  task(name: string): Task {
    const key = `s/${this.names['SID']}/task/${this.names[name]}`;
    return JSON.parse(this.place.keys(key)[key] ?? 'null') as Task;
  }
}

describe('an agent that keeps a plan for a day', () => {
  it('leaves exactly the keys of the design document after each step', () => {
    const day = new Day();
    const { place, names, sub } = day;
    const expectKeys = (expected: readonly string[]): void => expect(day.layout()).toEqual(expected.toSorted());
    const inSub = { cwd: sub };

    // There are no keys yet.
    for (const words of [['p'], ['g'], ['t'], ['r'], ['a'], ['g', 's', '-t', 'x', '-d', ''], ['t', 'a', '-t', 'x']]) {
      const { code, stdout, stderr } = place.np(words, inSub);
      expect([code, stdout], words.join(' ')).toEqual([3, '']);
      expect(stderr).toContain('error: No active session for this directory. [NO_SESSION]');
    }
    expectKeys(['meta/schema_version 1']);

    // A session that is started in the project is found from a folder below it.
    const started = place.np(['s']);
    expect(started.code).toBe(0);
    names['SID'] = place.data<{ session: { sid: string } }>(['p'], inSub).session.sid;
    const { SID } = names;
    expect(started.stdout).toContain(`Session ${SID} is now active`);
    const start = ['meta/schema_version 1', 'dir/DIR/active SID', 'idx/active/SID DIR', 's/SID/meta {}'];
    expectKeys([...start, 's/SID/meta/evt_seq 0000000000000000', ...events(0, 0)]);
    const meta = JSON.parse(place.keys()[`s/${SID}/meta`]!) as Record<string, unknown>;
    expect(Object.keys(meta)).toEqual([
      'sid',
      'dir_path',
      'dir_hash',
      'state',
      'created_at',
      'archived_at',
      'last_updated_at',
    ]);
    expect(meta).toMatchObject({
      sid: SID,
      dir_path: place.project,
      dir_hash: names['DIR'],
      state: 'active',
      archived_at: null,
    });

    // Starting again returns the same session.
    const again = place.np(['s']);
    expect(again).toEqual({
      code: 0,
      stdout: `Session ${SID} is already active for this directory. There's already an active session for this directory; ask your operator whether they want to resume or archive it.\n`,
      stderr: '',
    });
    expectKeys([...start, 's/SID/meta/evt_seq 0000000000000000', ...events(0, 0)]);

    // Sets the goal.
    expect(place.np(['g', 'u', '-t', 'x', '-r', 'y'], inSub)).toMatchObject({
      code: 3,
      stderr: "error: No goal set yet. Use 'np g s' to set it first. [NO_GOAL]\n",
    });
    expect(place.np(['g', 's', '-t', 'Ship #4', '-d', 'src/a.ts'], inSub).stdout).toContain('Goal: Ship #4');
    expectKeys([...start, 's/SID/goal {}', 's/SID/meta/evt_seq 0000000000000001', ...events(0, 1)]);
    expect(day.event(1)).toMatchObject({ type: 'goal_set', reason: null, cmd: "np g s -t 'Ship #4' -d src/a.ts" });
    expect(place.np(['g', 's', '-t', 'x', '-d', ''], inSub)).toMatchObject({
      code: 4,
      stderr: "error: Goal already set. Use 'np g u' to update it (requires -r/--reason flag). [GOAL_EXISTS]\n",
    });
    expect(place.np(['g', 'u', '-t', 'x'], inSub).code).toBe(2);
    expect(place.np(['g', 'u', '-d', 'src/a.ts, src/b.ts', '-r', 'found more'], inSub).code).toBe(0);
    expect(day.event(2)).toMatchObject({ type: 'goal_updated', reason: 'found more' });
    const goal = [...start, 's/SID/goal {}'];
    expectKeys([...goal, 's/SID/meta/evt_seq 0000000000000002', ...events(0, 2)]);

    // Adds several tasks, one of them with several lines from standard input.
    const contents = [
      { title: 'Reproduce', description: 'with a test\nin two lines' },
      { title: 'Fix', description: '' },
      { title: 'Release 🚀', description: 'ask first' },
    ];
    const [one, two, three] = contents.map((content) => taskHash(content, SID).slice(0, 6)) as [string, string, string];
    Object.assign(names, { ONE: one, TWO: two, THREE: three });
    const added = place.np(
      ['t', 'a', '-t', 'Reproduce', '-d', '-', '-t', 'Fix', '-t', 'Release 🚀', '-d', 'ask first'],
      {
        cwd: sub,
        input: 'with a test\nin two lines\n',
      },
    );
    expect(added.stdout).toBe(`☐ ${one} Reproduce\n☐ ${two} Fix\n☐ ${three} Release 🚀\n0 of 3 done, 3 pending\n`);
    expect(place.np(['p'], inSub).stdout).toContain(
      `☐ ${one}  Reproduce\n    with a test\n    in two lines\n☐ ${two}  Fix\n☐ ${three}  Release 🚀`,
    );
    const tasks = (one1: string, two2: string, three3: string): readonly string[] => [
      's/SID/task/ONE {}',
      's/SID/task/TWO {}',
      's/SID/task/THREE {}',
      `s/SID/idx/status/${one1}/ONE`,
      `s/SID/idx/status/${two2}/TWO`,
      `s/SID/idx/status/${three3}/THREE`,
      `s/SID/idx/task_order/${seq(3)} ONE`,
      `s/SID/idx/task_order/${seq(4)} TWO`,
      `s/SID/idx/task_order/${seq(5)} THREE`,
      's/SID/stats {}',
    ];
    const planned = (...statuses: [string, string, string]) => [...goal, ...tasks(...statuses)];
    expectKeys([...planned('pending', 'pending', 'pending'), `s/SID/meta/evt_seq ${seq(5)}`, ...events(0, 5)]);
    expect(day.task('TWO')).toMatchObject({
      id: two,
      title: 'Fix',
      description: '',
      status: 'pending',
      created_seq: 4,
    });

    // Adding the same task again changes nothing.
    expect(place.np(['t', 'a', '-t', ' fix '], inSub).stdout).toContain(`☐ ${two} Fix (unchanged)`);
    expectKeys([...planned('pending', 'pending', 'pending'), `s/SID/meta/evt_seq ${seq(5)}`, ...events(0, 5)]);

    // Two statuses in one command.
    expect(place.np(['t', 'u', '-i', one, '-s', 'completed', '-i', two, '-s', 'in_progress'], inSub).stdout).toMatch(
      /^☑ \w+ Reproduce\n⟳ \w+ Fix\n1 of 3 done, 1 pending, 1 in progress\nNext: ☐ \w+ Release 🚀\n$/u,
    );
    expectKeys([...planned('completed', 'in_progress', 'pending'), `s/SID/meta/evt_seq ${seq(7)}`, ...events(0, 7)]);

    // A failure and a new wording require a reason.
    expect(place.np(['t', 'u', '-i', two, '-s', 'failed'], inSub)).toMatchObject({ code: 2, stdout: '' });
    expect(place.np(['t', 'u', '-i', two, '-s', 'failed', '-r', 'no access'], inSub).stdout).toContain(`☒ ${two}`);
    expect(day.event(8)).toMatchObject({ type: 'task_status_changed', reason: 'no access' });
    expect(
      place.np(['t', 'u', '-i', three, '-t', 'Release', '-s', 'cancelled', '-r', 'not today'], inSub).stdout,
    ).toContain(`⊗ ${three} Release`);
    expect([day.event(9).type, day.event(10).type]).toEqual(['task_updated', 'task_status_changed']);
    expectKeys([...planned('completed', 'failed', 'cancelled'), `s/SID/meta/evt_seq ${seq(10)}`, ...events(0, 10)]);
    expect(day.task('THREE')).toMatchObject({ id: three, title: 'Release', version: 2 });

    // Another process reads the plan.
    const resumed = place.np(['r'], inSub);
    expect(resumed.stdout).toContain('Goal: Ship #4');
    expect(resumed.stdout).toContain('because not today');
    expect(place.np(['t', '-s', 'failed'], inSub).stdout).toBe(`☒ ${two}  Fix\n    because no access\n`);

    // Archives the session from a folder below its directory.
    expect(place.np(['a'], inSub)).toMatchObject({ code: 0, stdout: `Session ${SID} is archived.\n` });
    const archived = [
      ...planned('completed', 'failed', 'cancelled').filter((key) => !/active/u.test(key)),
      'idx/archived/TS/SID DIR',
      'dir/DIR/archived/TS/SID',
    ];
    expectKeys([...archived, `s/SID/meta/evt_seq ${seq(11)}`, ...events(0, 11)]);
    expect(place.np(['a'])).toMatchObject({ code: 0, stdout: `Session ${SID} is already archived.\n` });
    expect(place.np(['p'], inSub).code).toBe(3);
    expect(place.np(['p', '--session', SID], inSub).stdout).toContain(', archived');
    expect(place.np(['t', 'a', '-t', 'x', '--session', SID]).code).toBe(4);

    // Starts and archives another session in the same directory.
    expect(place.np(['s']).code).toBe(0);
    names['NEXT'] = place.data<{ session: { sid: string } }>(['p']).session.sid;
    const old = [...archived, `s/SID/meta/evt_seq ${seq(11)}`, ...events(0, 11)];
    const next = ['s/NEXT/meta {}', `s/NEXT/evt/${seq(0)} {}`, `idx/events/TS/NEXT/${seq(0)}`];
    expectKeys([...old, ...next, 'dir/DIR/active NEXT', 'idx/active/NEXT DIR', `s/NEXT/meta/evt_seq ${seq(0)}`]);
    expect(place.np(['a', '-r', 'done for today']).code).toBe(0);
    expectKeys([
      ...old,
      ...next,
      'idx/archived/TS/NEXT DIR',
      'dir/DIR/archived/TS/NEXT',
      `s/NEXT/meta/evt_seq ${seq(1)}`,
      `s/NEXT/evt/${seq(1)} {}`,
      `idx/events/TS/NEXT/${seq(1)}`,
    ]);
    expect(place.data<{ problems: unknown[] }>(['verify']).problems).toEqual([]);
    expect(place.data<{ session: { sid: string } }[]>(['ls']).map(({ session }) => session.sid)).toEqual([
      names['NEXT'],
      SID,
    ]);
  });
});
