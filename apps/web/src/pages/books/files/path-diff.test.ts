import { expect, it } from 'vitest';

import { pathDiff } from './path-diff.ts';

it('two paths show what is different between them, part by part', () => {
  const { from, to } = pathDiff('Emma/01.mp3', 'Jane Austen/Emma/01.mp3');
  expect(from).toEqual([
    { text: 'Emma/', isChanged: false },
    { text: '01.mp3', isChanged: false },
  ]);
  expect(to).toEqual([
    { text: 'Jane Austen/', isChanged: true },
    { text: 'Emma/', isChanged: false },
    { text: '01.mp3', isChanged: false },
  ]);
  const renamed = pathDiff('a/x.mp3', 'b/x.mp3');
  expect([renamed.from[0], renamed.to[0]]).toEqual([
    { text: 'a/', isChanged: true },
    { text: 'b/', isChanged: true },
  ]);
});
