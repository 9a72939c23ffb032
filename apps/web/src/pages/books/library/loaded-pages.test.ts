import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type LoadedPages, endOf, pagesIn, tailOf, withPage } from './loaded-pages.ts';

/** Creates pages of any length. Pages may be empty, like those of a server that filters rows after reading them. */
function chainOf(lengths: readonly number[]): LoadedPages {
  return lengths.reduce<LoadedPages>((chain, length, at) => {
    const cursor = at === 0 ? undefined : `c${at}`;
    return withPage(chain, cursor, { length, next: at === lengths.length - 1 ? null : `c${at + 1}` });
  }, []);
}

describe('a list that is read in pages', () => {
  it('knows for every row that was read the one page that has it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), (lengths) => {
        const chain = chainOf(lengths);
        const total = lengths.reduce((sum, length) => sum + length, 0);
        expect(endOf(chain)).toBe(total);
        expect(tailOf(chain)).toBeUndefined();
        for (let row = 0; row < total; row += 1) {
          const holding = pagesIn(chain, { first: row, last: row });
          expect(holding).toHaveLength(1);
          expect(row - (holding[0]?.start ?? -1)).toBeLessThan(holding[0]?.length ?? 0);
        }
      }),
    );
  });

  it('takes the same page twice as once, and nothing from a page that nobody waits for', () => {
    const chain = withPage([], undefined, { length: 3, next: 'c1' });
    expect(withPage(chain, undefined, { length: 3, next: 'c1' })).toBe(chain);
    expect(withPage(chain, 'elsewhere', { length: 3, next: null })).toBe(chain);
    expect(tailOf(chain)).toEqual({ cursor: 'c1' });
  });

  it('forgets where later pages are when an earlier one has changed', () => {
    const chain = chainOf([3, 3, 3]);
    const changed = withPage(chain, 'c1', { length: 3, next: 'c2b' });
    expect(changed).toHaveLength(2);
    expect(tailOf(changed)).toEqual({ cursor: 'c2b' });
  });
});
