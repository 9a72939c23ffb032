import { expect, it } from 'vitest';

import { checkRows, readStart, startText } from './chapter-rows.ts';

it('reads the times that it writes, and those that people type', () => {
  for (const ms of [0, 1_500, 59_999, 60_000, 3_723_456, 360_000_000]) expect(readStart(startText(ms))).toBe(ms);
  expect([startText(0), startText(61_500), startText(3_723_000)]).toEqual(['0:00', '1:01.500', '1:02:03']);
  expect([readStart('90'), readStart(' 62:03 '), readStart('1:00,5')]).toEqual([90_000, 3_723_000, 60_500]);
  for (const text of ['', 'x', '1:2:3:4', '-1', '1:-2']) expect(readStart(text)).toBeUndefined();
});

it('sorts chapters, and names the row of each problem', () => {
  const rows = ['1:00', '0:00', '0:30'].map((start, key) => ({ key, start, title: ` ${key} ` }));
  expect(checkRows(rows, 90_000)).toEqual({
    marks: [
      { title: '1', start_ms: 0 },
      { title: '2', start_ms: 30_000 },
      { title: '0', start_ms: 60_000 },
    ],
    problems: new Map(),
  });
  expect([...checkRows(rows, 45_000).problems.keys()]).toEqual([0]);
  const wrong = ['0:10', '0:10', 'soon'].map((start, key) => ({ key, start, title: '' }));
  expect([...checkRows(wrong, 90_000).problems.keys()]).toEqual([2, 0, 1]);
});
