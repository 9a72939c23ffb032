import { describe, expect, test } from 'vitest';

import { TextIndex } from './text-index.ts';

function indexOf(...all: readonly string[]): TextIndex<number> {
  const index = new TextIndex<number>();
  for (const [value, title] of all.entries()) index.set(String(value), { title, at: `2026-01-0${value + 1}`, value });
  return index;
}

function titles(index: TextIndex<number>, typed: string, limit = 10): readonly string[] {
  return index.find(typed.split(' '), limit).map(({ title }) => title);
}

describe('a text index', () => {
  test('ranks whole titles, then starts, then words, then parts of words', () => {
    const index = indexOf('Repaint the boat', 'Paint', 'The paint shop', 'Paint the boat');
    expect(titles(index, 'paint')).toEqual(['Paint', 'Paint the boat', 'The paint shop', 'Repaint the boat']);
  });

  test('requires every word, ignores case, and finds other text last', () => {
    const index = indexOf('Über den Wolken', 'Wolken');
    index.set('text', { title: 'Fliegen', text: 'ÜBER WOLKEN', at: '2026-02-01', value: 9 });
    expect(titles(index, 'über wolken')).toEqual(['Über den Wolken', 'Fliegen']);
  });

  test('lists open work before finished work, and new before old', () => {
    const index = indexOf('call one', 'call two');
    index.set('done', { title: 'call three', at: '2026-03-01', isDone: true, value: 3 });
    expect(titles(index, 'call')).toEqual(['call two', 'call one', 'call three']);
  });

  test('finds the best entry among many, and forgets deleted ones', () => {
    const index = new TextIndex<number>();
    for (let at = 0; at < 1_000; at++) index.set(String(at), { title: `a task ${at}`, at: '2026-01-01', value: at });
    index.set('best', { title: 'task', at: '2025-01-01', value: -1 });
    expect(titles(index, 'task', 3)[0]).toBe('task');
    index.delete('best');
    expect(titles(index, 'task', 3)).toHaveLength(3);
    expect(titles(index, 'task', 3)).not.toContain('task');
  });
});
