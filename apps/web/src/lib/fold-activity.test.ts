import { expect, it } from 'vitest';

import type { ActivityItem } from '../api/types.ts';
import { foldActivity } from './fold-activity.ts';

const item = (who: string, text: string, change: Partial<ActivityItem> = {}): ActivityItem => ({
  app: 'np',
  at: '2026-11-18T10:00:00Z',
  who,
  is_automatic: false,
  text,
  title: 'Boat',
  path: null,
  ...change,
});
const shown = (items: readonly ActivityItem[]): readonly string[] =>
  foldActivity(items).map(({ first, items: all }) => `${first.who} ${first.text} ${all.length}`);

it('folds automatic changes of one application, and no others', () => {
  const machine = item('w1', 'task started', { is_automatic: true });
  const other = item('w1', 'scan', { is_automatic: true, app: 'audiobooks' });
  expect(shown([machine, machine, item('ada', 'added'), machine, other])).toEqual([
    'w1 task started 2',
    'ada added 1',
    'w1 task started 1',
    'w1 scan 1',
  ]);
});

it('keeps a few changes by a person apart, and folds a long series of the same', () => {
  const added = item('ada', 'added');
  expect(shown([added, added, item('bob', 'added')])).toEqual(['ada added 1', 'ada added 1', 'bob added 1']);
  expect(shown([added, added, added, added, item('ada', 'deleted')])).toEqual(['ada added 4', 'ada deleted 1']);
});
