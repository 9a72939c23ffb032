import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { chipsOf, listOf, searchOf, textOf } from './search-filters.ts';

describe('the filters of a search in the address', () => {
  it('keep every value, whatever is in it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 })), (values) => {
        expect(listOf(textOf(values))).toEqual(values);
      }),
    );
  });

  it('are shown as chips, each of which takes itself away', () => {
    const search = searchOf({
      tag: 'a,b',
      property: 'status:open',
      path: 'notes',
      after: '2026-01-02',
      before: 'soon',
    });
    expect(chipsOf(search)).toEqual([
      { label: '#a', without: { tag: 'b' } },
      { label: '#b', without: { tag: 'a' } },
      { label: 'status: open', without: { property: '' } },
      { label: 'in notes', without: { path: '' } },
      { label: 'since 2026-01-02', without: { after: '' } },
    ]);
  });
});
