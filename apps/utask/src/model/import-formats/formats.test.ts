import { describe, expect, it } from 'vitest';

import type { Task } from '../task.ts';
import { detectFormat, type Format, jsonFormat } from './format.ts';
import { taskwarriorFormat } from './taskwarrior.ts';
import { todotxtFormat } from './todotxt.ts';

const NOW = '2026-11-18T10:20:30.000Z';
const ID = 'ab'.repeat(64);
const task = (more: Partial<Task> & Readonly<Record<string, unknown>> = {}): Task => ({
  id: ID,
  text: 'Water the plants',
  done: false,
  tags: [],
  created: '2026-01-02T03:04:05.678Z',
  ...more,
});
const only = (format: Format, text: string): Task => {
  const [read, ...others] = format.read(text, NOW);
  expect(others).toEqual([]);
  return read!;
};

describe('todo.txt', () => {
  it.each([
    ['Call mum', { text: 'Call mum', done: false, created: NOW, tags: [] }],
    ['(A) Call +home @phone', { text: 'Call +home @phone', tags: ['home', 'phone'], priority: 1 }],
    ['(Z) Last', { text: 'Last', priority: 26 }],
    ['2026-01-02 Call', { text: 'Call', created: '2026-01-02T00:00:00Z' }],
    ['(B) 2026-01-02 Call', { text: 'Call', created: '2026-01-02T00:00:00Z', priority: 2 }],
    ['x Called', { text: 'Called', done: true, completed: undefined }],
    ['x 2026-01-03 Called', { done: true, completed: '2026-01-03T00:00:00Z', created: NOW }],
    [
      'x (C) 2026-01-03 2026-01-02 Called pri:A',
      { done: true, completed: '2026-01-03T00:00:00Z', created: '2026-01-02T00:00:00Z', priority: 3 },
    ],
    ['x 2026-01-03 Called pri:D', { priority: 4 }],
    ['Pay due:2026-02-03', { text: 'Pay due:2026-02-03', due: '2026-02-03' }],
    ['Pay overdue:2026-02-03', { due: undefined }],
    ['xylophone lesson', { done: false, text: 'xylophone lesson' }],
    ['mail a+b@c.de', { tags: [] }],
    ['+a,b', { tags: ['a_b'] }],
    ['(A) ', { text: '(A)', priority: 1 }],
  ])('reads %j, and writes an unchanged task as the same line', (line, expected) => {
    const read = only(todotxtFormat, `${line}\n`);
    expect({ completed: undefined, due: undefined, ...read }).toMatchObject(expected);
    expect(read.source).toEqual({ format: 'todotxt', data: line });
    expect(todotxtFormat.write([read])).toEqual({ text: `${line}\n`, losses: [] });
  });

  it('gives equal lines different ids, and each line the same id again', () => {
    const text = 'same\n\n  \nsame\r\nother\n';
    const ids = todotxtFormat.read(text, NOW).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(todotxtFormat.read(text, '2030-01-01T00:00:00Z').map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['(A) 2026-01-02 Call', { text: 'Call again' }, '(A) 2026-01-02 Call again'],
    ['(A) Call', { priority: 2 }, '(B) Call'],
    ['(A) Call', { priority: undefined }, 'Call'],
    ['Call', { priority: 30 }, '(Z) Call'],
    ['Call', { done: true, completed: '2026-01-05T06:07:08Z' }, 'x 2026-01-05 Call'],
    ['2026-01-02 Call', { done: true, completed: '2026-01-05T06:07:08Z' }, 'x 2026-01-05 2026-01-02 Call'],
    ['2026-01-02 Call', { done: true }, 'x Call'],
    ['x 2026-01-05 2026-01-02 Call', { done: false, completed: undefined }, '2026-01-02 Call'],
    ['Call +home', { tags: ['home', 'new one'] }, 'Call +home +new_one'],
    ['Pay due:2026-02-03', { due: '2026-03-04' }, 'Pay due:2026-03-04'],
    ['Pay due:2026-02-03 now', { due: undefined }, 'Pay now'],
    ['Pay', { due: '2026-03-04' }, 'Pay due:2026-03-04'],
    ['Called pri:A', { text: 'Called again pri:A' }, 'Called again pri:A'],
  ])('writes %j with the change %j as %j', (line, change, expected) => {
    const read = only(todotxtFormat, line);
    expect(todotxtFormat.write([{ ...read, ...change }]).text).toBe(`${expected}\n`);
  });

  it('writes tasks of other origins, and says what the format cannot hold', () => {
    const { text, losses } = todotxtFormat.write([
      task(),
      task({ text: 'Two\n  lines', tags: ['a b'], source: { format: 'taskwarrior', data: {} } }),
      only(todotxtFormat, 'Call'),
    ]);
    expect(text).toBe('2026-01-02 Water the plants\n2026-01-02 Two lines +a_b\nCall\n');
    expect(losses).toEqual([
      '2 × the id and the time of day are not kept',
      '1 × multi-line texts become one line',
      '1 × fields of another format are not kept',
      '1 × spaces in tags become _',
    ]);
  });
});

describe('Taskwarrior', () => {
  const item = {
    uuid: '6f1c3d7e-3c1f-4c7a-9d57-0d2f4b1f0a11',
    description: 'Call',
    entry: '20260102T030405Z',
    status: 'pending',
  };
  const written = (...tasks: readonly Task[]): Record<string, unknown>[] =>
    JSON.parse(taskwarriorFormat.write(tasks).text) as Record<string, unknown>[];

  it('reads a list or one object per line, and writes unchanged tasks as they were', () => {
    const items = [
      {
        ...item,
        tags: ['home', 'phone'],
        project: 'House',
        annotations: [{ description: 'note' }],
        id: 3,
        urgency: 1.5,
      },
      { ...item, uuid: 'u2', status: 'completed', end: '20260103T000000Z', due: '20260203T000000Z', priority: 'M' },
      { ...item, uuid: 'u3', status: 'recurring', recur: 'weekly' },
    ];
    const read = taskwarriorFormat.read(JSON.stringify(items), NOW);
    expect(read).toMatchObject([
      { text: 'Call', done: false, tags: ['home', 'phone'], created: '2026-01-02T03:04:05Z', project: 'House' },
      { done: true, completed: '2026-01-03T00:00:00Z', due: '2026-02-03T00:00:00Z', priority: 2 },
      { done: false },
    ]);
    expect(read[0]).toMatchObject({ notes: ['note'], source: { format: 'taskwarrior', data: items[0] } });
    expect(new Set(read.map(({ id }) => id)).size).toBe(3);
    expect(written(...read)).toEqual(items);
    const lines = items.map((each) => JSON.stringify(each)).join(',\n');
    expect(taskwarriorFormat.read(`${lines}\n\n`, NOW)).toEqual(read);
  });

  it.each([
    ['no list', '"x"'],
    ['an entry without a time', JSON.stringify([{ ...item, entry: '2026' }])],
    ['an entry without a uuid', JSON.stringify([{ ...item, uuid: 1 }])],
    ['tags that are no texts', JSON.stringify([{ ...item, tags: [1] }])],
    ['text that is no JSON', '[x'],
  ])('refuses %s', (_, text) => {
    expect(() => taskwarriorFormat.read(text, NOW)).toThrow(expect.objectContaining({ code: 'BAD_IMPORT' }));
  });

  it.each([
    ['a new text', { text: 'Other' }, { description: 'Other' }],
    [
      'completion',
      { done: true, completed: '2026-01-05T06:07:08.900Z' },
      { status: 'completed', end: '20260105T060708Z' },
    ],
    ['completion without a time', { done: true }, { status: 'completed', end: item.entry }],
    ['tags', { tags: ['a b'] }, { tags: ['a_b'] }],
    ['a due time', { due: '2026-02-03T04:05:06.000Z' }, { due: '20260203T040506Z' }],
    ['a priority', { priority: 9 }, { priority: 'L' }],
  ])('writes %s', (_, change, expected) => {
    const read = only(taskwarriorFormat, JSON.stringify(item));
    expect(written({ ...read, ...change })).toMatchObject([{ ...item, ...expected }]);
    const again = only(taskwarriorFormat, JSON.stringify(written({ ...read, ...change })));
    expect(written(again)).toEqual(written({ ...read, ...change }));
  });

  it('takes state, tags and dates away again', () => {
    const full = {
      ...item,
      status: 'completed',
      end: '20260103T000000Z',
      tags: ['a'],
      due: '20260203T000000Z',
      priority: 'H',
    };
    const read = only(taskwarriorFormat, JSON.stringify(full));
    const changed = { ...read, done: false, completed: undefined, tags: [], due: undefined, priority: undefined };
    expect(written(changed)).toEqual([item]);
  });

  it('gives its own tasks back exactly', () => {
    const own = [
      task({ tags: ['a b', 'c'], due: '2026-02-03', priority: 1 }),
      task({ id: 'cd'.repeat(64), done: true, completed: '2026-01-05T06:07:08.900Z', due: '2026-02-03T04:05:06.000Z' }),
      task({ id: 'ef'.repeat(64), done: true, tags: ['x'] }),
    ];
    const { text, losses } = taskwarriorFormat.write(own);
    expect(losses).toEqual(['1 × tags with spaces are written with _ (and come back with spaces)']);
    const [first, second] = taskwarriorFormat.read(text, NOW);
    expect([first, second]).toEqual(own.slice(0, 2));
    const [exported] = JSON.parse(text) as [Record<string, unknown>];
    expect(exported).toMatchObject({ uuid: 'abababab-abab-abab-abab-abababababab', tags: ['a_b', 'c'] });
    const edited = only(taskwarriorFormat, JSON.stringify([{ ...exported, tags: ['new'] }]));
    expect(edited.tags).toEqual(['new']);
  });
});

it.each([
  ['[{"entry":"20260102T030405Z"}]', 'taskwarrior'],
  [`[{"id":"${ID}","source":{"entry": "x"}}]`, 'json'],
  [' {"data":[]}', 'json'],
  ['(A) Call', 'todotxt'],
  ['x done', 'todotxt'],
  ['Call +home', 'todotxt'],
])('%j is %s', (text, name) => {
  expect(detectFormat(text)).toBe(name);
});

it('refuses to guess the format of plain lines', () => {
  expect(() => detectFormat('one\ntwo a+b')).toThrow(expect.objectContaining({ code: 'BAD_IMPORT' }));
});

it('reads tasks in our own format, also as the output of export --json', () => {
  const { text } = jsonFormat.write([task({ tags: ['a'] })]);
  expect(jsonFormat.read(text, NOW)).toEqual([task({ tags: ['a'] })]);
  expect(jsonFormat.read(JSON.stringify({ data: [task()] }), NOW)).toEqual([task()]);
  for (const wrong of ['[{"id":1}]', '{"data":1}', 'null', '[']) {
    expect(() => jsonFormat.read(wrong, NOW)).toThrow(expect.objectContaining({ code: 'BAD_IMPORT' }));
  }
});
