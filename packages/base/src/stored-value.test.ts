import { expect, test } from 'vitest';

import { parseStoredList, parseStoredObject } from './stored-value.ts';

const unreadable = expect.objectContaining({ code: 'VALUE_UNREADABLE' });

test.each(['', '{', 'null', '7', '[]', '"text"'])('%j is not a stored object', (text) => {
  expect(() => parseStoredObject(text)).toThrow(unreadable);
});

test.each(['', '[', 'null', '7', '{}'])('%j is not a stored list', (text) => {
  expect(() => parseStoredList(text)).toThrow(unreadable);
});

test('stored objects and lists are parsed', () => {
  expect(parseStoredObject('{"a":1}')).toEqual({ a: 1 });
  expect(parseStoredList('[1,2]')).toEqual([1, 2]);
});
