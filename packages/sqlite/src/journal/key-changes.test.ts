import fc from 'fast-check';
import { expect, test } from 'vitest';

import { decodeKeyChanges, encodeKeyChanges } from './key-changes.ts';

test('the stored form is JSON that a person can read', () => {
  const text = encodeKeyChanges([
    { key: 'a', before: undefined, after: '{"x":1}' },
    { key: 'b', before: new Uint8Array([0, 255]), after: undefined },
  ]);
  expect(text).toBe('[["a",null,"{\\"x\\":1}"],["b",{"hex":"00ff"},null]]');
});

test('any keys and values come back as they were', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((given) => given.isWellFormed());
  const stored = fc.option(fc.oneof(text, fc.uint8Array(), fc.constantFrom('null', '{"hex":"00"}')), {
    nil: undefined,
  });
  const change = fc.record({ key: text, before: stored, after: stored });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      expect(decodeKeyChanges(encodeKeyChanges(changes))).toEqual(changes);
    }),
  );
});

test('a long text that changed little is stored as the difference, and comes back exactly', () => {
  const before = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => `id-${index}`));
  const after = `${before.slice(0, -1)},"id-😀"]`;
  const text = encodeKeyChanges([{ key: 'list', before, after }]);
  expect(text.length).toBeLessThan(before.length * 1.5);
  expect(decodeKeyChanges(text)).toEqual([{ key: 'list', before, after }]);
  const part = fc.string({ unit: 'binary', maxLength: 600 });
  fc.assert(
    fc.property(part, part, part, part, (start, removed, inserted, end) => {
      const change = { key: 'k', before: start + removed + end + before, after: start + inserted + end + before };
      expect(decodeKeyChanges(encodeKeyChanges([change]))).toEqual([change]);
    }),
  );
});
