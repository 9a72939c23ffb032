import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lackingFeatures } from '../adapters/nats/open.ts';
import { nonce } from '../adapters/random.ts';
import { bucketNames } from './buckets.ts';
import { detailsOf, parseDue } from './details.ts';
import {
  abbreviatedId,
  byCreation,
  checkedPrefix,
  decodeTask,
  encodeTask,
  isTask,
  type Task,
  taskId,
  distinctPrefixes,
} from './task.ts';
import { keyToTag, normalizedTag, normalizedTags, tagToKey } from './tag.ts';

const id = 'a1b204e713ff9c'.padEnd(124, '0') + '33a2';
const task: Task = { id, text: 'Buy milk', done: false, tags: ['errand'], created: '2025-08-26T13:40:00Z' };

describe('ids', () => {
  it('are the sha512 of created, text and nonce, in hexadecimal digits', () => {
    const bytes = Buffer.from('0123456789abcdef');
    const made = taskId({ created: 'c', text: 't', nonce: bytes });
    expect(made).toBe(createHash('sha512').update('c\nt\n0123456789abcdef').digest('hex'));
    expect(made).toHaveLength(128);
  });

  it('come from 16 bytes of the cryptographic generator', () => {
    const nonces = Array.from({ length: 1_000 }, () => Buffer.from(nonce()).toString('hex'));
    expect(new Set(nonces).size).toBe(1_000);
    expect(nonces.every((one) => one.length === 32)).toBe(true);
  });

  it('are confirmed with both ends, as the design document writes them', () => {
    expect(abbreviatedId(id)).toBe('a1b204e713ff9c...33a2');
    expect(distinctPrefixes([id, '0'.repeat(128)])).toEqual(['a1b204e713ff', '000000000000']);
    expect(distinctPrefixes([id, `${id.slice(0, 13)}f`])).toEqual(['a1b204e713ff9c', 'a1b204e713ff9f']);
  });

  it('may be shortened to four characters and written in capitals', () => {
    expect(checkedPrefix('A1B2')).toBe('a1b2');
    expect(() => checkedPrefix('a1b')).toThrow(expect.objectContaining({ code: 'PREFIX_TOO_SHORT', kind: 'usage' }));
    expect(() => checkedPrefix('xyzw')).toThrow(expect.objectContaining({ code: 'BAD_ID' }));
    expect(() => checkedPrefix(`${id}0`)).toThrow(expect.objectContaining({ code: 'BAD_ID' }));
  });
});

describe('tags', () => {
  it('are lowercase, composed, without space around them, and each there once', () => {
    expect(normalizedTags([' Work ', 'WORK', 'Cafe\u0301', 'a,B'])).toEqual(['work', 'café', 'a', 'b']);
  });

  it('refuse what could not be written between commas', () => {
    for (const bad of ['', '  ', 'a\nb', 'a\u0000']) {
      expect(() => normalizedTag(bad)).toThrow(expect.objectContaining({ code: 'BAD_TAG', kind: 'usage' }));
    }
    expect(() => normalizedTag('x'.repeat(300))).toThrow(expect.objectContaining({ code: 'BAD_TAG' }));
  });

  it('that are simple are their own keys', () => {
    expect(['errand', 'q3-plan', 'a_b'].map(tagToKey)).toEqual(['errand', 'q3-plan', 'a_b']);
  });

  it('with anything else in them become legal keys of NATS', () => {
    expect(tagToKey('a.b')).toBe('a=2Eb');
    expect(tagToKey('c++ *>')).toBe('c=2B=2B=20=2A=3E');
    expect(tagToKey('_kv')).toBe('=5Fkv');
    expect(tagToKey('日')).toBe('=E6=97=A5');
  });

  it('come back from their keys, every one', () => {
    const anyTag = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => {
      try {
        return normalizedTag(text);
      } catch {
        return 'refused';
      }
    });
    fc.assert(
      fc.property(anyTag, (tag) => {
        const key = tagToKey(tag);
        expect(key).toMatch(/^[-=_a-zA-Z0-9]+$/);
        expect(key.startsWith('_kv')).toBe(false);
        expect(keyToTag(key)).toBe(tag);
        expect(normalizedTag(tag)).toBe(tag);
      }),
    );
  });

  it('are not made up for keys that others wrote', () => {
    expect(['a.b', 'Work', 'a=2eb', '=GG', 'a='].map(keyToTag)).toEqual(Array.from({ length: 5 }));
  });
});

describe('a task', () => {
  it('is the JSON of the design document, in its order', () => {
    expect(encodeTask({ created: task.created, tags: task.tags, done: false, text: task.text, id })).toBe(
      `{"id":"${id}","text":"Buy milk","done":false,"tags":["errand"],"created":"2025-08-26T13:40:00Z"}`,
    );
  });

  it('keeps fields that other programs added', () => {
    const value = JSON.stringify({ ...task, priority: 3 });
    expect(encodeTask({ ...decodeTask(id, value), done: true })).toContain('"priority":3');
  });

  it('is recognised, or said to be none', () => {
    for (const bad of ['', '{', '[]', '{"id":"x"}', encodeTask({ ...task, id: 'f'.repeat(128) })]) {
      expect(() => decodeTask(id, bad)).toThrow(expect.objectContaining({ code: 'BAD_RECORD' }));
    }
  });

  it('has each field of its type, and may have others', () => {
    expect(isTask({ ...task, source: { format: 'todotxt' }, other: 1 })).toBe(true);
    const wrong = { id: 'x', text: 1, done: 'no', tags: [1], created: undefined, source: {} };
    for (const [field, value] of Object.entries(wrong)) expect(isTask({ ...task, [field]: value }), field).toBe(false);
    for (const value of [null, undefined, [], 'task', 1]) expect(isTask(value)).toBe(false);
  });

  it('comes after older ones, and ids decide between those of one moment', () => {
    const at = (created: string, first: string): Task => ({ ...task, created, id: first.padEnd(128, '0') });
    const list = [
      at('2025-08-26T13:40:00.001Z', 'a'),
      at('2025-08-26T13:40:00Z', 'c'),
      at('2025-08-26T13:40:00.000Z', 'b'),
      at('2024-01-01T00:00:00Z', 'd'),
    ];
    expect(list.sort(byCreation).map((one) => one.id[0])).toEqual(['d', 'b', 'c', 'a']);
  });
});

describe('details', () => {
  /** A Monday, at noon local time. */
  const now = new Date(2026, 10, 16, 12).getTime();

  it('read a due date as people write it', () => {
    const read = (typed: string) => parseDue(typed, now);
    expect(['today', 'Tomorrow', 'friday', 'fri', 'monday', '3d', '+2w'].map(read)).toEqual([
      '2026-11-16',
      '2026-11-17',
      '2026-11-20',
      '2026-11-20',
      '2026-11-23',
      '2026-11-19',
      '2026-11-30',
    ]);
    expect(read('2026-12-24')).toBe('2026-12-24');
    expect(read('2026-12-24T15:00:00+01:00')).toBe('2026-12-24T14:00:00.000Z');
    expect(read('none')).toBeUndefined();
    for (const bad of ['', 'fr', 'someday', '2026-02-30', '2026-13-01', '24.12.2026']) {
      expect(() => read(bad), bad).toThrow(expect.objectContaining({ code: 'BAD_DUE', kind: 'usage' }));
    }
  });

  it('of another type, written by another client, are kept and not shown', () => {
    const foreign = { ...task, due: 1_800_000_000, priority: 'urgent', project: ['x'], notes: 'one' };
    const decoded = decodeTask(id, JSON.stringify(foreign));
    expect(detailsOf(decoded)).toEqual({});
    expect(JSON.parse(encodeTask(decoded))).toEqual(foreign);
  });
});

it('buckets have the names of the design document with what NATS allows in place of the dot', () => {
  expect(bucketNames(undefined)).toEqual({ tasks: 'utask_tasks', tags: 'utask_tags' });
  expect(bucketNames('home')).toEqual({ tasks: 'utask_tasks_home', tags: 'utask_tags_home' });
  expect(() => bucketNames('a.b')).toThrow(expect.objectContaining({ code: 'BAD_PROFILE' }));
});

it('what a server lacks is said', () => {
  expect(lackingFeatures('2.9.10').join()).toMatch(/sync_interval.*single keys/);
  expect(lackingFeatures('2.10.27')).toHaveLength(1);
  expect(lackingFeatures('2.14.0')).toEqual([]);
});
