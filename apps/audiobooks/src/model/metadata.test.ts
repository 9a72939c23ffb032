import { describe, expect, it } from 'vitest';
import { audnexusBook, audnexusChapters, openLibraryAnswer } from '../../test/provider-server.ts';
import {
  confidenceOf,
  type MetadataQuery,
  readAudnexusBook,
  readAudnexusChapters,
  readCommandBooks,
  readOpenLibrary,
} from './metadata.ts';

describe('an answer of a provider', () => {
  it('of Open Library has the fields of a work, and leaves out what differs between editions', () => {
    expect(readOpenLibrary(openLibraryAnswer)[0]).toEqual({
      id: 'open-library:OL66513W',
      provider: 'open-library',
      fields: { title: 'Emma', authors: ['Jane Austen'], year: 1815, genres: ['England', 'Young women', 'Fiction'] },
      coverUrl: 'https://covers.openlibrary.org/b/id/258027-L.jpg',
      durationMs: undefined,
    });
  });

  it('of Audnexus has series, narrators and a description without markup', () => {
    expect(readAudnexusBook(audnexusBook)).toMatchObject({
      id: 'audnexus:B08G9PRS1K',
      fields: {
        narrators: ['Ray Porter'],
        series: [{ name: 'Hail', sequence: '1' }],
        year: 2021,
        genres: ['Science Fiction & Fantasy'],
        tags: ['Science Fiction'],
        description: 'A lone astronaut must save the earth.\nAnd thanks to an ally, he might.',
      },
      durationMs: 58_200_000,
    });
  });

  it('keeps the valid fields of a command and drops the others', () => {
    const [found] = readCommandBooks({ books: [{ title: 'Emma', year: 123_456, author: 'Jane Austen', unknown: 1 }] });
    expect(found?.fields).toEqual({ title: 'Emma', authors: ['Jane Austen'] });
  });

  it.each([null, {}, { docs: [{}] }, { docs: 'x' }])('that is %j is refused', (answer) => {
    expect(() => readOpenLibrary(answer)).toThrow(/expected/u);
  });
});

describe('chapters of Audnexus', () => {
  it('keep their times if the book has the brand at its start', () => {
    expect(readAudnexusChapters(audnexusChapters, 59_900).marks.map(({ startMs }) => startMs)).toEqual([
      0, 13_307, 19_216,
    ]);
  });

  it('start earlier if the book is as long as the recording without the brand', () => {
    expect(readAudnexusChapters(audnexusChapters, 52_900)).toMatchObject({
      durationMs: 52_896,
      marks: [{ startMs: 0 }, { startMs: 11_264 }, { startMs: 17_173 }],
    });
  });
});

describe('the confidence', () => {
  const query: MetadataQuery = {
    title: 'Emma',
    authors: ['Austen, Jane'],
    isbn: null,
    asin: null,
    durationMs: 0,
    region: 'us',
  };
  const confidences = (changes: Partial<MetadataQuery>) =>
    readOpenLibrary(openLibraryAnswer).map((found) => confidenceOf({ ...query, ...changes }, found));

  it('is high for the same title and author, and low for another book', () => {
    const [same = 0, other = 0] = confidences({ authors: ['Jane Austen'] });
    expect(same).toBe(99);
    expect(other).toBeLessThan(60);
  });

  it('is 100 % only for the same ISBN or ASIN', () => {
    const found = readAudnexusBook(audnexusBook);
    expect(confidenceOf({ ...query, asin: 'b08g9prs1k' }, found)).toBe(100);
    expect(confidenceOf({ ...query, isbn: '9781603935470' }, found)).toBe(100);
    expect(confidenceOf({ ...query, title: 'Project Hail Mary', authors: ['Andy Weir'] }, found)).toBe(99);
  });
});
