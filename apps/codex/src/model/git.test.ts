import { expect, it } from 'vitest';

import { LOG_FORMAT, parseLog, parseTree } from './git.ts';

it.each(['99999999999999999', '-99999999999999999', 'soon', ''])(
  'a commit that claims the time %s is shown',
  (time) => {
    const record = LOG_FORMAT.replaceAll(/%x(\d\d)/g, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
      .replace('%at', time)
      .replace('%H', 'abc');
    expect(parseLog(record, '')).toMatchObject([{ sha: 'abc', at: expect.stringMatching(/^[+-]?\d{4,6}-\d\d-\d\dT/) }]);
  },
);

it('a torn tree object is an error with a code', () => {
  expect(() => parseTree(Buffer.from('100644 a.md'), 20)).toThrow(expect.objectContaining({ code: 'GIT_UNAVAILABLE' }));
});
