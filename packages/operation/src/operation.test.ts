import { describe, expect, expectTypeOf, it } from 'vitest';

import { check } from './check.ts';
import {
  boolean,
  choice,
  flag,
  integer,
  json,
  list,
  nullable,
  object,
  optional,
  optionalList,
  pageFields,
  record,
  text,
  time,
  union,
  withDefault,
} from './fields.ts';
import { jsonSchema } from './json-schema.ts';
import { type GivenTo, type InputOf, operationsOf, outputOf, type OutputOf, runOperation } from './operation.ts';
import { schema } from './schema.ts';

const task = object({ id: text(), done: boolean(), tags: list(text()), due: nullable(time()) });

const addTask = operationsOf<string[]>()({
  name: 'task.add',
  summary: 'Add a task',
  permission: 'app:test:write',
  input: {
    title: text('Title', { min: 1, max: 10 }),
    priority: optional(choice(['low', 'high'], 'Priority')),
    tags: optionalList(text('Tag'), { max: 2 }),
    draft: flag('Do not start it yet'),
    limit: withDefault(integer('Limit', { min: 1, max: 5, clamp: true }), 3),
  },
  output: task,
  run: async () => (app, input) => {
    app.push(input.title);
    return { id: 't1', done: input.draft, tags: input.tags, due: null, secret: 'not in the output' };
  },
});

const caller = { name: 'test', via: 'test', face: 'cli' } as const;

describe('an operation', () => {
  it('fills in defaults and lowers a clamped number before it runs', async () => {
    const app: string[] = [];
    const output = await runOperation(addTask, app, { title: 'Write', limit: 99 }, caller);
    expect(app).toEqual(['Write']);
    expect(output).toMatchObject({ id: 't1', done: false, tags: [] });
  });

  it('reports every wrong field at once, with its path', async () => {
    const given = { title: '', priority: 'urgent', tags: ['a', 4, 'c'], colour: 'red' };
    await expect(runOperation(addTask, [], given, caller)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message:
        'title: must not be empty; priority: expected one of low, high; tags: must have at most 2 entries; ' +
        'tags.1: expected text; colour: is unknown',
    });
  });

  it('shows only the fields that its output names', async () => {
    const output = await runOperation(addTask, [], { title: 'Write' }, caller);
    expect(outputOf(addTask, output)).toEqual({ id: 't1', done: false, tags: [], due: null });
  });

  it('has types for what is given, what runs and what comes out', () => {
    expectTypeOf<GivenTo<typeof addTask>>().toEqualTypeOf<{
      readonly title: string;
      readonly priority?: 'low' | 'high' | undefined;
      readonly tags?: readonly string[] | undefined;
      readonly draft?: boolean | undefined;
      readonly limit?: number | undefined;
    }>();
    expectTypeOf<InputOf<typeof addTask>['tags']>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<OutputOf<typeof addTask>['due']>().toEqualTypeOf<string | null>();
  });
});

describe('checking fields', () => {
  const problems = (field: Parameters<typeof check>[0], value: unknown): readonly string[] => {
    const result = check(field, value);
    return 'issues' in result ? result.issues.map(({ path, message }) => [...path, message].join(': ')) : [];
  };

  it('rejects NUL in text unless the field allows it', () => {
    expect(problems(text(), 'a\0b')).toEqual(['has a NUL character, which cannot be stored']);
    expect(problems(text('', { allowsNul: true }), 'a\0b')).toEqual([]);
  });

  it('reads no inherited property as a field, and takes any key in a record', () => {
    expect(problems(object({ constructor: optional(text()) }), {})).toEqual([]);
    expect(problems(record(integer()), JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual([]);
    expect(problems(object({}), JSON.parse('{"__proto__": 1}'))).toEqual(['__proto__: is unknown']);
  });

  it('accepts times with nanoseconds, and any of several forms', () => {
    expect(problems(time(), '2026-01-02T03:04:05.123456789Z')).toEqual([]);
    expect(problems(time(), '2026-12-31T23:59:59+23:59')).toEqual([]);
    for (const wrong of ['today', '2026-13-01T00:00:00Z', '2026-12-32T00:00:00Z', '2026-12-31T24:00:00Z']) {
      expect(problems(time(), wrong)).toEqual(['expected a time (RFC 3339)']);
    }
    const shapes = union([
      object({ type: choice(['circle']), radius: integer() }),
      object({ type: choice(['line']), length: integer() }),
    ]);
    expect(check(shapes, { type: 'line', length: 'long' })).toMatchObject({ issues: [{ path: ['length'] }] });
    const libraries = union([choice(['all']), list(text())]);
    expect(problems(libraries, 'all')).toEqual([]);
    expect(problems(libraries, ['a'])).toEqual([]);
    expect(problems(libraries, 'some')).toEqual(['does not match any of the accepted forms']);
  });

  it('returns the same object when nothing was missing', () => {
    const value = { limit: 5, cursor: 'x' };
    expect(check(object(pageFields), value)).toEqual({ value });
    const unchanged = check(object({ any: json() }), value);
    expect('issues' in unchanged).toBe(true);
  });

  it('works as a Standard Schema', () => {
    const stored = schema({ id: text(), count: integer('', { min: 0 }) });
    expect(stored['~standard'].validate({ id: 'a', count: 1 })).toEqual({ value: { id: 'a', count: 1 } });
    expect(stored['~standard'].validate({ id: 'a', count: -1 })).toEqual({
      issues: [{ message: 'must be at least 0', path: ['count'] }],
    });
  });
});

describe('JSON Schema', () => {
  it('names required fields, closes objects and describes what it can', () => {
    expect(jsonSchema(object(addTask.input))).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 10, description: 'Title' },
        priority: { type: 'string', enum: ['low', 'high'], description: 'Priority' },
        tags: { type: 'array', items: { type: 'string', description: 'Tag' }, maxItems: 2 },
        draft: { type: 'boolean', description: 'Do not start it yet' },
        limit: { type: 'integer', minimum: 1, maximum: 5, description: 'Limit' },
      },
      required: ['title'],
      additionalProperties: false,
    });
    expect(jsonSchema(nullable(text()))).toEqual({ type: ['string', 'null'] });
  });
});
