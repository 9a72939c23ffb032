import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { foldUsername, parseUsername } from './user.ts';

function isRefused(name: string): boolean {
  try {
    parseUsername(name);
    return false;
  } catch (error) {
    return (error as { code: string }).code === 'USERNAME_INVALID';
  }
}

describe('a user name', () => {
  it.each([
    'ada',
    'Ada.Lovelace',
    'a',
    'x-1_y',
    'josé',
    'Øystein',
    'straße',
    'Γιώργος',
    'Юлия',
    '太郎タロー',
    'דנה',
    'प्रिया',
    'นิดา',
    '0',
  ])('can be %s', (name) => {
    expect(parseUsername(name)).toBe(name.normalize('NFKC'));
  });

  it.each([
    ['', 'empty'],
    ['a'.repeat(65), 'too long'],
    ['-rf', 'an option'],
    ['a..b', 'two signs side by side'],
    ['a.', 'a sign at the end'],
    ['../etc', 'a path'],
    ['a b', 'a space'],
    ['a@b', 'an e-mail address'],
    ['a:b', 'a delimiter of keys'],
    ['a\u0000b', 'a control character'],
    ['a\u202eb', 'a change of direction'],
    ['a\u200bb', 'an invisible character'],
    ['a\ud800', 'half a character'],
    ['аda', 'Cyrillic and Latin'],
    ['сосо', 'Cyrillic that looks Latin'],
    ['οι', 'Greek that looks Latin'],
    ['ɑda', 'an IPA letter that looks like a'],
    ['١٢', 'other digits'],
    ['a\u0301\u0302\u0303', 'a heap of marks'],
    ['aq\u0307a', 'a mark that makes no letter'],
    ['דּנה', 'a point that another spelling leaves out'],
    ['01HX0000000000000000000000', 'an id'],
    ['😀', 'an emoji'],
  ])('cannot be %j: %s', (name) => {
    expect(isRefused(name)).toBe(true);
  });

  it.each([
    ['Ada', 'aDA'],
    ['ａｄａ', 'ada'],
    ['josé', 'jose\u0301'],
    ['STRASSE', 'straße'],
    ['ΣΑΣ', 'σασ'],
    ['ﬁsh', 'FISH'],
    ['Kate', '\u212aate'],
  ])('%s is the same name as %s', (left, right) => {
    expect(foldUsername(left)).toBe(foldUsername(right));
  });

  it('folds to a form that folds to itself, in whatever case it is written', () => {
    const alphabet = fc.constantFrom(
      ...Array.from('abzßæœøþðđłħŋıéüIİKſΣςσαωώАяйёあア太דأक'),
      'ﬁ',
      'ǆ',
      '\u212a',
      '-',
      '.',
      '1',
    );
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (name) => {
        const folded = foldUsername(name);
        expect(foldUsername(folded)).toBe(folded);
        if (!isRefused(name)) expect(foldUsername(parseUsername(name))).toBe(folded);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that is accepted can be written by anybody without surprises', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 8 }), (name) => {
        if (isRefused(name)) return;
        const parsed = parseUsername(name);
        expect(parsed).not.toMatch(/[\s\p{C}@/:\\]/u);
        expect(parseUsername(parsed)).toBe(parsed);
      }),
      { numRuns: 5_000 },
    );
  });
});
