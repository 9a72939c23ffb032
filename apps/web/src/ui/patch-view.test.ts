import { expect, it } from 'vitest';

import { filesOf } from './patch-view.tsx';

it('a patch is read by files, without what only git needs', () => {
  const patch = [
    'diff --git a/a b.txt b/a b.txt',
    'index 1..2 100644',
    '--- a/a b.txt',
    '+++ b/a b.txt',
    '@@ -1 +1,2 @@',
    ' first',
    '+second',
    'diff --git a/image.png b/image.png',
    'Binary files differ',
    '',
  ].join('\n');
  expect(filesOf(patch)).toEqual([
    { path: 'a b.txt', lines: ['@@ -1 +1,2 @@', ' first', '+second'] },
    { path: 'image.png', lines: [] },
  ]);
  expect(filesOf('')).toEqual([]);
});
