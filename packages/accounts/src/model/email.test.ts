import { expect, it } from 'vitest';

import { foldEmail, parseEmail } from './user.ts';

it.each(['a@b', 'Ada@Example.org', 'tag+x@sub.example.org', 'δοκιμή@παράδειγμα.δοκιμή'])('%s is an address', (text) => {
  expect(parseEmail(` ${text} `)).toBe(text);
  expect(foldEmail(text)).toBe(text.toLowerCase());
});

it.each(['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'a\n@b', 'a\u202e@b', `${'x'.repeat(250)}@b.org`, '\ud800@b'])(
  '%j is not',
  (text) => {
    expect(() => parseEmail(text)).toThrow('not a valid e-mail address');
  },
);
