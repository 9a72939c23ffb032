import { expect, test } from 'vitest';

import { readPage, readPageByOffset } from './pagination.ts';

const rows = ['a', 'b', 'c'];
const first = (count: number): readonly string[] => rows.slice(0, count);
const cursorOf = (last: string): string => `after ${last}`;

test('A page that ends before the list gives the cursor of its last row', async () => {
  expect(await readPage(2, first, cursorOf)).toEqual({ data: ['a', 'b'], next_cursor: 'after b' });
});

test('A page that ends with the list has no cursor, even when it is full', async () => {
  expect(await readPage(3, first, cursorOf)).toEqual({ data: rows, next_cursor: null });
  expect(await readPage(50, first, cursorOf)).toEqual({ data: rows, next_cursor: null });
});

test('An empty list is an empty last page', async () => {
  expect(await readPage(2, () => Promise.resolve([]), cursorOf)).toEqual({ data: [], next_cursor: null });
});

test('An offset cursor resumes after the rows already shown; a cursor of another list starts at the first row', () => {
  const read = (offset: number, count: number): readonly string[] => rows.slice(offset, offset + count);
  const page = readPageByOffset(2, undefined, read);
  expect(page).toEqual({ data: ['a', 'b'], next_cursor: '2' });
  expect(readPageByOffset(2, '2', read)).toEqual({ data: ['c'], next_cursor: null });
  expect(readPageByOffset(2, 'active.x', read)).toEqual(page);
});
