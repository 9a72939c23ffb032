import { describe, expect, it } from 'vitest';

import type { SmartQuery } from '../../../api/types.ts';
import { changed, draftOf, queryText, newCondition, queryOf } from './conditions.ts';

describe('the question of a smart playlist', () => {
  it('is said in words', () => {
    const query = {
      all: [
        { field: 'author', op: 'is', value: 'Jane Austen' },
        { field: 'state', op: 'is_not', value: 'unstarted' },
        { field: 'duration', op: 'more', value: 90 },
        { field: 'added', op: 'in_last_days', value: 30 },
      ],
      sort: 'title',
      limit: null,
    } satisfies SmartQuery;
    expect(queryText(query)).toBe(
      'Author is Jane Austen and Status is not not started and Length is more than 90 minutes and Added in the last 30 days',
    );
    expect(queryText({ any: query.all.slice(0, 1), sort: 'title', limit: null })).toBe('Author is Jane Austen');
    expect(queryText({ all: [], sort: 'title', limit: null })).toBe('All books');
  });

  it('is the same after it was taken apart to be changed', () => {
    const query = { any: [{ field: 'year', op: 'less', value: 1900 }], sort: 'added', limit: 20 } satisfies SmartQuery;
    expect(queryOf(draftOf(query))).toEqual(query);
    expect(queryOf(draftOf({ sort: 'title', limit: null }))).toEqual({ all: [], sort: 'title', limit: null });
  });

  it('is not asked while a value is missing or is no number', () => {
    const draft = draftOf({ all: [{ field: 'year', op: 'less', value: 1900 }], sort: 'title', limit: null });
    const [year] = draft.conditions;
    if (year === undefined) throw new Error('There is a condition');
    for (const value of ['', ' ', 'soon']) {
      expect(queryOf({ ...draft, conditions: [{ ...year, value }] })).toBeUndefined();
    }
    expect(queryOf({ ...draft, limit: '-1' })).toBeUndefined();
    expect(queryOf({ ...draft, limit: '1.5' })).toBeUndefined();
  });

  it('keeps what was written when another field asks for the same kind of thing', () => {
    const author = { ...newCondition('author'), value: 'Austen' };
    expect(changed(author, { field: 'title' })).toMatchObject({ field: 'title', op: 'is', value: 'Austen' });
    expect(changed(author, { field: 'year' })).toMatchObject({ field: 'year', op: 'is', value: '' });
    expect(changed(author, { field: 'state' })).toMatchObject({ value: 'unstarted' });
    expect(changed(newCondition('added'), { op: 'after' })).toMatchObject({ op: 'after', value: '' });
  });
});
