import { expect, it } from 'vitest';

import type { Series } from '../../../api/types.ts';
import { withGaps } from './group-views.tsx';

it('what is missing in a series stands where it would be', () => {
  const book = (title: string, sequence: string | null) => ({ title, sequence }) as Series['books'][number];
  const books = [book('Zero', '0.5'), book('Two', '2'), book('Five to six', '5-6'), book('Extra', null)];
  const places = withGaps({ books, gaps: ['1', '3', '4'] });
  expect(places.map((place) => (typeof place === 'string' ? place : place.title))).toEqual([
    'Zero',
    '1',
    'Two',
    '3',
    '4',
    'Five to six',
    'Extra',
  ]);
});
