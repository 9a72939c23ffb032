import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameSortKey, normalizeName, normalizeText, sortKey } from './normalize.ts';

describe('text as it is compared', () => {
  it('has neither case nor accents nor punctuation', () => {
    expect(normalizeText('  Café: the “Étude” — No. 1!  ')).toBe('cafe the etude no 1');
    expect(normalizeText('Ｄｕｎｅ')).toBe('dune');
    expect(normalizeText("Ender's Game")).toBe(normalizeText('Ender’s Game'));
    expect(normalizeText('Straße')).toBe(normalizeText('STRASSE'));
  });

  it('keeps signs when there is nothing else', () => {
    expect(normalizeText('!!!')).toBe('!!!');
    expect(normalizeText('日本語')).toBe('日本語');
  });

  it('is the same when it is made twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
      }),
    );
  });

  it('sees initials together or apart as the same name', () => {
    const forms = ['J.R.R. Tolkien', 'J. R. R. Tolkien', 'JRR Tolkien', 'j r r tolkien'];
    expect(new Set(forms.map(normalizeName))).toEqual(new Set(['jrr tolkien']));
    expect(normalizeName('Anne B. Clark')).toBe('anne b clark');
  });
});

describe('text as it is sorted', () => {
  const sorted = (titles: readonly string[]) => [...titles].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));

  it('drops a leading article and counts numbers', () => {
    const shelf = ['Book 2', 'Book 10', 'A Dance with Dragons', 'The Expanse', 'Zero'];
    expect(sorted(['Zero', 'The Expanse', 'Book 10', 'A Dance with Dragons', 'Book 2'])).toEqual(shelf);
    expect(sortKey('A').trim()).toBe('a');
  });

  it('puts a title before those that begin with it, also where a colon follows', () => {
    const titles = ['Dune', 'Dune 2', 'Dune Messiah', 'Dunes'];
    const keys = titles.map((title) => `${sortKey(title)}:01`);
    expect([...keys].sort()).toEqual(keys);
  });

  it('puts people by their last name', () => {
    expect(nameSortKey('Ursula K. Le Guin').startsWith('le guin')).toBe(true);
    expect(nameSortKey('Kurt Vonnegut Jr.').startsWith('vonnegut')).toBe(true);
    expect(nameSortKey('Vonnegut, Kurt')).toBe(nameSortKey('Kurt Vonnegut'));
    expect(nameSortKey('Homer').trim()).toBe('homer');
  });
});
