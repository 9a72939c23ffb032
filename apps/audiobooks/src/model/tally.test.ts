import { expect, it } from 'vitest';
import { dayTallyShape } from './tally.ts';

it('a day that was counted before moments were kept gets the likeliest ones', () => {
  const [emma, dune] = ['01ARZ3NDEKTSV4RRFFQ69G5FA0', '01ARZ3NDEKTSV4RRFFQ69G5FA1'];
  const books = { [emma]: [[1_000, 2_000] as const, [5_000, 86_400_000] as const] };
  const old = { listen_ms: 86_396_000, plays: 2, finished: [emma, dune], books, version: 1 };
  expect(dayTallyShape.parse(old)).toEqual({
    ...old,
    plays: [43_200_000, 43_200_000],
    finished: [
      { book: emma, at: 86_399_999 },
      { book: dune, at: 43_200_000 },
    ],
    version: 2,
  });
});
