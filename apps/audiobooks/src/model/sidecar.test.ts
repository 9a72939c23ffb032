import { describe, expect, it } from 'vitest';
import { readAbsMetadata } from './abs-metadata.ts';
import { plainText, readCue, readNfo, readOpf, readTextFile, readXml } from './sidecar.ts';

const OPF = `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
  <dc:title>Dune &amp; more</dc:title><dc:creator opf:role="aut">Herbert, Frank</dc:creator>
  <dc:creator opf:role="nrt">Scott Brick; Simon Vance</dc:creator>
  <dc:date>1965-08-01T00:00:00+00:00</dc:date><dc:publisher>Chilton</dc:publisher><dc:language>en</dc:language>
  <dc:identifier opf:scheme="ISBN">978-0-441-01359-3</dc:identifier><dc:identifier opf:scheme="ASIN">B002V1OF70</dc:identifier>
  <dc:description><![CDATA[<p>First.</p><p>Second &amp; last.</p>]]></dc:description>
  <dc:subject>Science Fiction</dc:subject><dc:subject>Classics</dc:subject>
  <meta name="calibre:series" content="Dune Chronicles"/><meta name="calibre:series_index" content="1.0"/>
</metadata></package>`;

describe('an OPF file', () => {
  it('gives every field', () => {
    expect(readOpf(OPF)).toEqual({
      source: 'opf',
      fields: {
        title: 'Dune & more',
        authors: ['Frank Herbert'],
        narrators: ['Scott Brick', 'Simon Vance'],
        series: [{ name: 'Dune Chronicles', sequence: '1' }],
        year: 1965,
        publisher: 'Chilton',
        language: 'en',
        isbn: '978-0-441-01359-3',
        asin: 'B002V1OF70',
        description: 'First.\nSecond & last.',
        genres: ['Science Fiction', 'Classics'],
      },
    });
  });

  it('cannot make text grow or fetch anything', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">
      <!ENTITY secret SYSTEM "file:///etc/passwd">]><package><title>&lol2;&secret;</title></package>`;
    expect(readOpf(bomb).fields.title).toBe('&lol2;&secret;');
  });

  it('that is damaged gives what can be read, at once', () => {
    expect(readXml('<a>'.repeat(100_000))).toEqual([]);
    expect(readXml('<'.repeat(200_000))).toEqual([]);
    expect(readXml('<title>Half')).toEqual([]);
    expect(readXml('<a b="1" c=\'2\'>x<b/>y</a>')).toEqual([
      { name: 'b', attributes: {}, text: '' },
      { name: 'a', attributes: { b: '1', c: '2' }, text: 'xy' },
    ]);
  });
});

describe('metadata of Audiobookshelf', () => {
  const fields = {
    title: 'Dune',
    subtitle: 'A Novel',
    authors: ['Frank Herbert', 'Ann, Author'],
    narrators: ['Scott Brick'],
    series: [{ name: 'Dune Saga', sequence: '1' }, { name: 'Best: Books' }],
    year: 1965,
    publisher: 'Chilton',
    language: 'English',
    isbn: '9780441013593',
    asin: 'B002V1OF70',
    description: 'First.\nSecond.',
    genres: ['Science Fiction', 'Classics'],
    edition: 'abridged',
  };
  const json = {
    tags: ['Mine'],
    title: 'Dune',
    subtitle: 'A Novel',
    authors: ['Frank Herbert', 'Ann, Author'],
    narrators: ['Scott Brick'],
    series: ['Dune Saga #1', 'Best: Books'],
    genres: ['Science Fiction', 'Classics'],
    publishedYear: '1965',
    publishedDate: null,
    publisher: 'Chilton',
    description: '<p>First.</p><p>Second.</p>',
    isbn: '9780441013593',
    asin: 'B002V1OF70',
    language: 'English',
    explicit: false,
    abridged: true,
  };
  const marks = [
    { id: 0, start: 0, end: 60.5, title: 'One' },
    { id: 1, start: 60.5, end: 100, title: 'Two' },
  ];
  const chapters = [
    { title: 'One', startMs: 0 },
    { title: 'Two', startMs: 60_500 },
  ];

  it('is read from metadata.json', () => {
    expect(readAbsMetadata(JSON.stringify({ ...json, chapters: marks }))).toEqual({ source: 'abs', fields, chapters });
    expect(readAbsMetadata(JSON.stringify({ ...json, chapters: [] }))).toEqual({ source: 'abs', fields });
  });

  it('is read from an early metadata.json, with objects', () => {
    const authors = json.authors.map((name) => ({ id: 'a1', name }));
    const series = [
      { id: 's1', name: 'Dune Saga', sequence: '1' },
      { id: 's2', name: 'Best: Books', sequence: null },
    ];
    const early = { chapters: marks, metadata: { ...json, authors, series } };
    expect(readAbsMetadata(JSON.stringify(early))).toEqual({ source: 'abs', fields, chapters });
  });

  it('is read from metadata.abs', () => {
    const text = `;ABMETADATA1
#audiobookshelf v2.0.0

media=book
tags=Mine
title=Dune
subtitle=A Novel
authors=Frank Herbert
narrators=Scott Brick
publishedYear=1965
publisher=Chilton
isbn=9780441013593
asin=B002V1OF70
language=English
genres=Science Fiction, Classics
series=Dune Saga #1, Best: Books
explicit=N
abridged=Y

[DESCRIPTION]
First.
Second.

[CHAPTER]
start=0
end=60.5
title=One

[CHAPTER]
start=60.5
end=100
title=Two
`;
    expect(readAbsMetadata(text)).toEqual({
      source: 'abs',
      fields: { ...fields, authors: ['Frank Herbert'] },
      chapters,
    });
  });

  it.each(['', '{', '[]', 'null', '{"authors":{"a":1},"chapters":[null,{}],"series":[[]],"metadata":"x"}'])(
    'that is damaged says nothing: %s',
    (text) => expect(readAbsMetadata(text)).toEqual({ source: 'abs', fields: {} }),
  );
});

describe('a file that is made to keep us busy', () => {
  it.each([
    ['<!--'.repeat(200_000)],
    ['<![CDATA['.repeat(100_000)],
    ['<a b="'.repeat(100_000)],
    [`<title>${'Book 1 '.repeat(80_000)}</title><creator>${'a, '.repeat(50_000)}</creator>`],
    [' '.repeat(500_000)],
    ['a '.repeat(250_000)],
    ['Title: '.repeat(80_000)],
    ['&#x'.repeat(200_000)],
  ])('number %# is read at once', (text) => {
    for (const read of [readOpf, readNfo, readCue]) expect(read(text)).toBeDefined();
    expect(plainText(text.slice(0, 32 * 1024))).toBeDefined();
  });
});

describe('an NFO file', () => {
  it('gives what its lines say', () => {
    const { fields } = readNfo(`
 =====================
  General Information
 =====================
  Title:                  Stone of Tears
  Author:                 Terry Goodkind
  Read By:                Jim Bond
  Copyright:              1995
  Series Name:            Sword of Truth
  Position in Series:     2
  Genre:                  Fantasy, Epic
  Publisher:              Brilliance Audio

 ================
 Book Description
 ================
 The second book,
 which is long.`);
    expect(fields).toEqual({
      title: 'Stone of Tears',
      authors: ['Terry Goodkind'],
      narrators: ['Jim Bond'],
      series: [{ name: 'Sword of Truth', sequence: '2' }],
      year: 1995,
      publisher: 'Brilliance Audio',
      genres: ['Fantasy', 'Epic'],
      description: 'The second book, which is long.',
    });
  });
});

describe('small files beside a book', () => {
  it('desc.txt is the description, reader.txt the narrators', () => {
    expect(readTextFile('desc.txt', ' About.\n')?.fields).toEqual({ description: 'About.' });
    expect(readTextFile('Reader.txt', 'Read by Jim Bond\n')?.fields).toEqual({ narrators: ['Jim Bond'] });
    expect(readTextFile('notes.txt', 'x')).toBeUndefined();
    expect(readTextFile('desc.txt', ' \n')).toBeUndefined();
  });

  it('a cue sheet gives the chapters of each file', () => {
    const sheet = readCue(`PERFORMER "Frank Herbert"\nTITLE "Dune"\nFILE "dune.mp3" MP3
  TRACK 01 AUDIO\n    TITLE "One"\n    INDEX 00 00:00:00\n    INDEX 01 00:00:00
  TRACK 02 AUDIO\n    TITLE "Two"\n    INDEX 01 61:02:37\n`);
    expect(sheet).toEqual({
      title: 'Dune',
      performer: 'Frank Herbert',
      files: [
        {
          name: 'dune.mp3',
          marks: [
            { title: 'One', startMs: 0 },
            { title: 'Two', startMs: 3_662_493 },
          ],
        },
      ],
    });
  });

  it('HTML becomes plain text', () => {
    expect(plainText('<p>A&nbsp;<b>bold</b> &lt;tag&gt;</p>\n<ul><li>one</li><li>two</li></ul>')).toBe(
      'A bold <tag>\none\ntwo',
    );
    expect(plainText('1 < 2')).toBe('1 < 2');
  });
});

it('Names that plain objects have already are ordinary names in files', () => {
  expect(readXml('<a constructor="1" __proto__="2">&constructor;</a>')).toMatchObject([{ text: '&constructor;' }]);
  expect(Object.keys(readXml('<a constructor="1" __proto__="2"/>')[0]?.attributes ?? {})).toEqual([
    'constructor',
    '__proto__',
  ]);
  expect(readNfo('constructor: x\nTitle: Dune')?.fields).toMatchObject({ title: 'Dune' });
});
