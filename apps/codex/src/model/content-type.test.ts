import { expect, test } from 'vitest';

import { contentTypeOf } from './file-types.ts';

test('An unknown ending is bytes, even one that plain objects have as a property', () => {
  expect(contentTypeOf('notes/today.MD')).toBe('text/markdown');
  for (const path of ['a.constructor', 'a.__proto__', 'a.xyz', 'a']) {
    expect(contentTypeOf(path), path).toBe('application/octet-stream');
  }
});
