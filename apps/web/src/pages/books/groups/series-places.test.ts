import { expect, it } from 'vitest';

import type { BookRow } from '../../../api/audiobooks-types.ts';
import { placesOf } from './series-places.ts';

it('what is missing in a series stands where it would be', () => {
  const book = (title: string, sequence: string | null): BookRow =>
    ({ id: title, title, series: [{ id: 's', name: 'Dune', sequence }] }) as unknown as BookRow;
  const books = [book('Zero', '0.5'), book('Two', '2'), book('Five to six', '5-6'), book('Extra', null)];
  const places = placesOf({ id: 's', books, gaps: ['1', '3', '4'] });
  expect(places.map((place) => (typeof place === 'string' ? place : place.book.title))).toEqual([
    'Zero',
    '1',
    'Two',
    '3',
    '4',
    'Five to six',
    'Extra',
  ]);
});
