import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { discNumber, partTitles, readFileName, withoutDisc } from './file-name.ts';
import { looksLikePerson, splitPeople } from './people.ts';
import { seriesList } from './series-text.ts';
import { naturalOrder, readableName } from './text.ts';
import { readBookPath } from './book-path.ts';

describe('people', () => {
  it.each([
    ['Frank Herbert', ['Frank Herbert']],
    ['Herbert, Frank', ['Frank Herbert']],
    ['Le Guin, Ursula K.', ['Ursula K. Le Guin']],
    ['van der Berg, Jan', ['Jan van der Berg']],
    ['Terry Pratchett, Neil Gaiman', ['Terry Pratchett', 'Neil Gaiman']],
    ['Pratchett, Terry, Gaiman, Neil', ['Terry Pratchett', 'Neil Gaiman']],
    ['Pratchett, Terry & Gaiman, Neil', ['Terry Pratchett', 'Neil Gaiman']],
    ['Terry Pratchett and Neil Gaiman', ['Terry Pratchett', 'Neil Gaiman']],
    ['A B; C D / E F', ['A B', 'C D', 'E F']],
    ['Martin Luther King, Jr.', ['Martin Luther King Jr.']],
    ['Read by Jim Bond', ['Jim Bond']],
    ['Jim Bond (Narrator)', ['Jim Bond']],
    ['Leo Tolstoy; Louise Maude - translator', ['Leo Tolstoy']],
    ['Leo Tolstoy, Leo Tolstoy', ['Leo Tolstoy']],
    ['Unknown Author', []],
    ['  ', []],
    ['村上春樹', ['村上春樹']],
  ])('%s', (text, people) => {
    expect(splitPeople(text)).toEqual(people);
  });

  it.each([
    ['Frank Herbert', true],
    ['J. R. R. Tolkien', true],
    ['Herbert, Frank', true],
    ['Ludwig van Beethoven', true],
    ['The Final Empire', false],
    ['Guards! Guards!', false],
    ['Dune', false],
    ['Book 3', false],
    ['A Song of Ice and Fire', false],
  ])('%s is a person: %s', (text, expected) => {
    expect(looksLikePerson(text)).toBe(expected);
  });
});

describe('names of discs and files', () => {
  it.each([
    ['CD 1', [], 1],
    ['cd01', [], 1],
    ['Disc 12', [], 12],
    ['Dune - Disk 3', [], 3],
    ['Dune (CD 2 of 4)', [], 2],
    ['1', ['2', '3'], 1],
    ['Part 2', ['Part 1'], 2],
    ['1984', [], undefined],
    ['1', [], undefined],
    ['1', ['Extras'], undefined],
    ['Discworld', [], undefined],
    ['The Disc', [], undefined],
  ])('%s beside %j is disc %s', (name, siblings, number) => {
    expect(discNumber(name, siblings)).toBe(number);
  });

  it('the name without the disc', () => {
    expect(withoutDisc('Dune - CD 1')).toBe('Dune');
    expect(withoutDisc('Dune (Disc 1)')).toBe('Dune');
    expect(withoutDisc('Dune')).toBe('Dune');
  });

  it.each([
    ['01.mp3', { track: 1 }],
    ['07-19 Chapter 2-22a.mp3', { disc: 7, track: 19 }],
    ['Dune 206 of 271.mp3', { track: 206, total: 271 }],
    ['Dune 076-117.mp3', { track: 76, total: 117 }],
    ['Dune - 1_85.mp3', { track: 1, total: 85 }],
    ['Stone of Tears - Ch61.mp3', { track: 61 }],
    ['MISTBORN0103P03.mp3', { track: 3 }],
    ['Track 4.mp3', { track: 4 }],
    ['03 - The Beginning.mp3', { track: 3, title: 'The Beginning' }],
    ['Prologue.mp3', { title: 'Prologue' }],
  ])('%s is %j', (name, expected) => {
    expect(readFileName(name)).toMatchObject(expected);
    if (!('track' in expected)) expect(readFileName(name).track).toBeUndefined();
  });

  it('numbers sort by their value', () => {
    expect(['10', '9', 'a', '1', '02'].sort(naturalOrder)).toEqual(['1', '02', '9', '10', 'a']);
  });
});

describe('series in tags', () => {
  it.each([
    ['Discworld #4; Death #1', undefined, ['Discworld #4', 'Death #1']],
    ['Discworld', '4', ['Discworld #4']],
    ['Discworld', 'Book 4', ['Discworld #4']],
    ['The Expanse, Book 1.5', undefined, ['The Expanse #1.5']],
    ['The Dark Tower Series', undefined, ['The Dark Tower']],
    ['Area 51', undefined, ['Area #51']],
    ['Area 51', '2', ['Area 51 #2']],
    ['', undefined, []],
  ])('%s with %s', (text, part, expected) => {
    const found = seriesList(text, part).map(({ name, sequence }) =>
      sequence === undefined ? name : `${name} #${sequence}`,
    );
    expect(found).toEqual(expected);
  });
});

describe('any name whatever', () => {
  it('is read at once, and a title is never empty', () => {
    expect.hasAssertions();
    const name = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }),
      fc.stringMatching(/^[ \-_.,()[\]{}0-9A-Za-z#&]{1,120}$/),
    );
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (path) => {
        const { title } = readBookPath(path);
        const last = readableName(path.at(-1) ?? '');
        fc.pre(last !== '');
        expect(title).not.toBe('');
        expect(readFileName(path[0] ?? '').title).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it('cannot make a reader slow', () => {
    for (const text of [
      '('.repeat(5_000),
      '1-'.repeat(5_000),
      ' - '.repeat(5_000),
      'a, '.repeat(5_000),
      `${'Book 1 '.repeat(2_000)}x`,
    ]) {
      expect(readBookPath([text.slice(0, 255)]).title.length).toBeGreaterThan(0);
      expect(splitPeople(text).length).toBeLessThan(10_000);
      expect(seriesList(text, undefined).length).toBeLessThan(10_000);
    }
  });
});

describe('the parts of a book', () => {
  const parts = (...files: readonly (readonly [string, string?])[]): readonly string[] =>
    partTitles(
      files.map(([path, title]) => ({ path, title })),
      'Dune',
    );

  it('are named after their tags, then their file names, then their number', () => {
    expect(parts(['D/1.mp3', 'Arrakis'], ['D/2.mp3', 'Caladan'])).toEqual(['Arrakis', 'Caladan']);
    expect(parts(['D/01 - Arrakis.mp3', 'Dune'], ['D/02 - Caladan.mp3', 'Dune'])).toEqual(['Arrakis', 'Caladan']);
    expect(parts(['D/1.mp3', 'Track'], ['D/2.mp3', 'Track'])).toEqual(['Part 1', 'Part 2']);
    expect(parts(['D/Dune - 01.mp3'], ['D/Dune - 02.mp3'])).toEqual(['Part 1', 'Part 2']);
    expect(parts(['D/Dune.m4b', 'Anything'])).toEqual(['Dune']);
  });
});
