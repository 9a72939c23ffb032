import fc from 'fast-check';
import { expect, it } from 'vitest';

import { compareKeys } from './keys/order.ts';
import { WrittenKeys } from './transaction.ts';

it('what was written comes back by range, in order, however writes and reads are mixed', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', ':', '/', 'é', '😀', '\uffee'), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(key, key, key)), (steps) => {
      const written = new WrittenKeys<string>();
      const model = new Map<string, string>();
      for (const [write, gte, lt] of steps) {
        written.set(write, gte);
        model.set(write, gte);
        const expected = [...model]
          .filter(([each]) => compareKeys(each, gte) >= 0 && compareKeys(each, lt) < 0)
          .sort(([left], [right]) => compareKeys(left, right));
        expect(written.inside({ gte, lt })).toEqual(expected);
      }
    }),
  );
});
