import { expect, test } from 'vitest';

import { snoozeTimes } from './inbox-row.tsx';

test.each([
  ['Sunday', new Date(2026, 10, 15, 12), [15, 16, 16]],
  ['Monday', new Date(2026, 10, 16, 12), [16, 17, 23]],
  ['Saturday', new Date(2026, 10, 14, 12), [14, 15, 16]],
])('on a %s, items are put off for an hour, until tomorrow or until the next Monday', (_, now, days) => {
  const times = snoozeTimes(now).map(({ until }) => until);
  expect(times.map((until) => until.getDate())).toEqual(days);
  expect(times.every((until) => until > now)).toBe(true);
});
