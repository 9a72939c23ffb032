import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Event } from '../model/event.ts';
import { countByStatus, type Plan, STATUSES, type Task } from '../model/plan.ts';
import { frame } from './frame.ts';
import { INITIAL_STATE, keysIn, type MonitorState, press, withPlan } from './state.ts';
import { toAnsi } from './screen.ts';

const at = '2026-01-02T03:04:05.000Z';

function stateWith(tasks: readonly Task[], changes: Partial<MonitorState> = {}): MonitorState {
  const session = {
    sid: '01JP0000000000000000ABCDEF',
    dir_path: '/home/me/project',
    dir_hash: 'x',
    state: 'active',
    created_at: at,
    archived_at: null,
    last_updated_at: at,
  } as const;
  const plan: Plan = {
    session,
    goal: { title: 'Ship the 日本 release', description: 'all\nof it', updated_at: at },
    tasks,
    notes: [],
    counts: countByStatus(tasks),
  };
  return { ...INITIAL_STATE, plan, ...changes };
}

function taskNumber(number: number): Task {
  return {
    id: `id${String(number).padStart(4, '0')}`,
    title: `Task ${number} \u001b[2J 🚀`,
    description: 'first\nsecond',
    status: STATUSES[number % STATUSES.length]!,
    created_at: at,
    updated_at: at,
    created_seq: number,
    version: 1,
  };
}

const event: Event = {
  seq: 1,
  at,
  type: 'session_archived',
  reason: 'because',
  cmd: 'np a',
  payload: { sid: 'x', dir_path: '/', archived_at: at },
};

function textOf(state: MonitorState, columns: number, rows: number): readonly string[] {
  return frame(state, columns, rows).map((line) => line.map(({ text }) => text).join(''));
}

describe('the picture', () => {
  it('has at any size exactly as many lines as the screen, each exactly as wide, and nothing that moves the cursor', () => {
    const tasks = Array.from({ length: 40 }, (_, index) => taskNumber(index));
    const events = Array.from({ length: 90 }, () => event);
    const views = ['plan', 'picker', 'help'] as const;
    for (const [columns, rows] of [
      [1, 1],
      [5, 3],
      [20, 5],
      [40, 10],
      [80, 24],
      [109, 30],
      [110, 30],
      [200, 60],
    ] as const) {
      for (const view of views) {
        const lines = textOf(stateWith(tasks, { view, events, isExpanded: true }), columns, rows);
        expect(lines, `${columns}×${rows} ${view}`).toHaveLength(rows);
        for (const line of lines) expect(stringWidth(line)).toBe(columns);
        expect(lines.join('')).not.toContain('\u001b');
      }
    }
  });

  it('at 40×10 has goal, progress, tasks, log and keys', () => {
    const tasks = [0, 1, 2].map(taskNumber);
    expect(textOf(stateWith(tasks, { events: [event] }), 40, 10).map((line) => line.trimEnd())).toEqual([
      ' Ship the 日本 release           ABCDEF',
      '███░░░░░░░ 1/3 done  ☐ 1  ⟳ 1  ☑ 1',
      '☐ id0000  Task 0 �[2J 🚀',
      '⟳ id0001  Task 1 �[2J 🚀',
      '☑ id0002  Task 2 �[2J 🚀',
      '',
      '',
      // In the local time of this machine.
      `${new Date(at).toTimeString().slice(0, 8)} session archived — because`,
      '',
      'q quit · ? help · s sessions · f filter…',
    ]);
  });

  it('has room for all of a task that is looked at, and for the reason of what happened', () => {
    const words = '日本語'.repeat(14);
    const task: Task = {
      ...taskNumber(1),
      title: `A title ${words}`,
      description: 'one two three four five six seven',
      status: 'failed',
    };
    const failed: Event = {
      ...event,
      type: 'task_status_changed',
      reason: 'no access',
      payload: {
        task_id: task.id,
        title: task.title,
        status_before: 'pending',
        status_after: 'failed',
        updated_at: at,
      },
    };
    const state = stateWith([task], { events: [failed] });
    expect(textOf(state, 40, 12).join('\n')).toMatch(/failed: A.*… — no access/u);
    const lines = textOf({ ...state, isExpanded: true }, 40, 12).map((line) => line.trim());
    expect(lines.slice(4, 8).join('')).toBe(`A title${words}`);
    expect(lines.slice(8, -1)).toEqual([
      'because no access',
      'one two three four five six seven',
      expect.stringContaining('failed'),
    ]);
    expect(textOf({ ...state, isExpanded: true }, 40, 8)).toContainEqual(expect.stringMatching(/^ {4}… +$/u));
    expect(textOf({ ...state, view: 'help' }, 40, 12).join('\n')).toContain('q        quit');
  });

  it('stays with the work until somebody moves, and then with them', () => {
    const tasks = Array.from({ length: 50 }, (_, index): Task => {
      const task = taskNumber(index);
      return { ...task, status: index === 30 ? 'in_progress' : 'completed' };
    });
    const state = stateWith(tasks);
    expect(textOf(state, 80, 12).join('\n')).toContain('⟳ id0030');
    const moved = press(state, 'home').state;
    expect(textOf(moved, 80, 12).join('\n')).toContain('id0000');
    expect(textOf(press(moved, 'G').state, 80, 12).join('\n')).toContain('id0049');
  });

  it('leaves a log where it is read while events are added, and begins anew with another session', () => {
    const numbered = (count: number): Event[] => Array.from({ length: count }, (_, seq) => ({ ...event, seq }));
    const state = stateWith([taskNumber(0)], { events: numbered(9), eventsBack: 4, selected: 'id0000' });
    const plan = state.plan!;
    expect(withPlan(state, plan, numbered(12))).toMatchObject({ eventsBack: 7, selected: 'id0000' });
    expect(withPlan({ ...state, eventsBack: 0 }, plan, numbered(12)).eventsBack).toBe(0);
    const other = { ...plan, session: { ...plan.session, sid: 'other' } };
    expect(withPlan(state, other, numbered(2))).toMatchObject({ eventsBack: 0, selected: undefined });
  });

  it('keeps bold and inverse without colours, and only these', () => {
    expect(
      toAnsi(
        [
          { text: 'a', style: 'red' },
          { text: 'b', style: 'inverse' },
        ],
        false,
      ),
    ).toBe('a\u001b[7mb\u001b[0m');
    expect(toAnsi([{ text: 'a', style: 'red' }], true)).toBe('\u001b[31ma\u001b[0m');
  });
});

describe('keys', () => {
  it('are told apart in whatever pieces they come, and unknown ones do nothing', () => {
    expect(keysIn('j\u001b[A\u001b[6~é\r\u001b[1;5Cq')).toEqual(['j', 'up', 'page-down', 'é', 'enter', 'q']);
    expect(keysIn('\u001b')).toEqual(['escape']);
  });

  it('type into the search, and out of it', () => {
    let state = stateWith([0, 1, 2].map(taskNumber));
    for (const key of ['/', 't', 'q', 'backspace', 'enter']) ({ state } = press(state, key));
    expect(state).toMatchObject({ search: 't', isSearching: false });
    expect(press(state, 'escape').state.search).toBe('');
    expect(press(state, 'q').effect).toEqual({ type: 'quit' });
  });

  it('filter by each status in turn, and then by none', () => {
    let state = stateWith([]);
    const seen: (string | undefined)[] = [];
    for (let index = 0; index < 6; index += 1) {
      ({ state } = press(state, 'f'));
      seen.push(state.filter);
    }
    expect(seen).toEqual([...STATUSES, undefined]);
  });
});
