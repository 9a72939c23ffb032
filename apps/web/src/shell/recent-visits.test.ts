import { beforeEach, expect, test } from 'vitest';

import { recentVisits, rememberVisit } from './recent-visits.ts';

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  globalThis.localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  } as unknown as Storage;
});

test('remembers items, newest first and once each, without the count in the title', () => {
  rememberVisit('/plans/A', 'Plan A · Holdfast');
  rememberVisit('/books/b1', '(3) A book · Holdfast');
  rememberVisit('/plans/A', 'Plan A again · Holdfast');
  expect(recentVisits()).toEqual([
    { path: '/plans/A', title: 'Plan A again' },
    { path: '/books/b1', title: 'A book' },
  ]);
});

test('ignores pages that are lists, and what others have stored', () => {
  rememberVisit('/tasks', 'Tasks · Holdfast');
  expect(recentVisits()).toEqual([]);
  for (const damaged of ['{', '[1, {"path": "javascript:0", "title": "x"}]', 'null']) {
    stored.set('holdfast.recent', damaged);
    expect(recentVisits()).toEqual([]);
  }
});
