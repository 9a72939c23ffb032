import { describe, expect, it } from 'vitest';

import { inOneLine, plant, scanTree, type Tree } from '../../test/tree.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

/** Folder trees from real libraries and the books expected in them. `null` is an audio file without tags. */

const OPF = `<package xmlns:dc="x" xmlns:opf="y"><dc:title>Dune</dc:title><dc:creator opf:role="aut">Frank Herbert</dc:creator>
  <dc:creator opf:role="nrt">Simon Vance</dc:creator><meta name="calibre:series" content="Dune"/><meta name="calibre:series_index" content="1"/></package>`;

const numbered = (pattern: string, from: number, to: number, tags: Tree[string] = null): Tree =>
  Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, n) => [
      pattern.replace('##', String(from + n).padStart(2, '0')).replace('#', String(from + n)),
      tags,
    ]),
  );

const ABS = JSON.stringify({
  title: 'Dune',
  authors: ['Frank Herbert'],
  narrators: ['Simon Vance'],
  series: ['Dune Saga #1'],
  publishedYear: '1965',
});

const TREES: readonly (readonly [name: string, tree: Tree, books: readonly string[]])[] = [
  [
    'metadata.json of Audiobookshelf wins over tags and other sidecars',
    { 'x/y/1.mp3': { album: 'Wrong', artist: 'Nobody Else' }, 'x/y/metadata.json': ABS, 'x/y/metadata.opf': OPF },
    ['Frank Herbert: Dune Saga #1: Dune (1965), read by Simon Vance, 1 file'],
  ],
  [
    'metadata.abs of older versions of Audiobookshelf',
    { 'x/y/1.mp3': null, 'x/y/metadata.abs': ';ABMETADATA1\ntitle=Dune\nauthors=Frank Herbert\nseries=Saga #1\n' },
    ['Frank Herbert: Saga #1: Dune, 1 file'],
  ],
  [
    'discs with a file next to them',
    { 'Dune/Intro.mp3': null, ...numbered('Dune/CD 1/##.mp3', 1, 2), 'Dune/CD 2/01.mp3': null },
    ['nobody: Dune, 4 files'],
  ],
  [
    'discs with names and a file next to them',
    {
      'Frank Herbert/Dune/Intro.mp3': null,
      'Frank Herbert/Dune/CD 1/01 Arrakis.mp3': null,
      'Frank Herbert/Dune/CD 2/01 Caladan.mp3': null,
    },
    ['Frank Herbert: Dune, 3 files'],
  ],
  [
    'discs with albums and a file with another album',
    {
      'Frank Herbert/Dune/Intro.mp3': { album: 'Intro' },
      'Frank Herbert/Dune/CD 1/01.mp3': { album: 'Dune CD 1' },
      'Frank Herbert/Dune/CD 1/02.mp3': { album: 'Dune CD 1' },
      'Frank Herbert/Dune/CD 2/01.mp3': { album: 'Dune CD 2' },
    },
    ['Frank Herbert: Dune, 4 files'],
  ],
  [
    'disc files that could be books of their own',
    { 'Dune/Bonus.m4b': null, 'Dune/CD 1/Arrakis.m4b': null, 'Dune/CD 2/Caladan.m4b': null },
    ['nobody: Dune, 3 files'],
  ],
  // Grouping
  ['a file at the root is a book', { 'Frank Herbert - Dune.mp3': null }, ['Frank Herbert: Dune, 1 file']],
  [
    'files at the root are books',
    { 'Dune.m4b': null, 'Emma.m4b': null },
    ['nobody: Dune, 1 file', 'nobody: Emma, 1 file'],
  ],
  [
    'numbered files at the root belong together',
    { 'Dune 01.mp3': null, 'Dune 02.mp3': null, 'Dune 03.mp3': null, 'Emma.mp3': null },
    ['nobody: Dune, 3 files', 'nobody: Emma, 1 file'],
  ],
  ['a folder of numbered files', numbered('Dune/##.mp3', 1, 12), ['nobody: Dune, 12 files']],
  ['N of M', numbered('Dune/Dune # of 12.mp3', 1, 12), ['nobody: Dune, 12 files']],
  ['NNN-MMM', numbered('Frank Herbert/Dune/Dune 0##-117.mp3', 10, 14), ['Frank Herbert: Dune, 5 files']],
  ['Title - N_M', numbered('Frank Herbert/Dune/Dune - #_85.mp3', 1, 5), ['Frank Herbert: Dune, 5 files']],
  ['Ch##', numbered('Frank Herbert/Dune/Dune - Ch##.mp3', 58, 63), ['Frank Herbert: Dune, 6 files']],
  ['letters and numbers glued', numbered('Mistborn/MISTBORN01##P03.mp3', 1, 4), ['nobody: Mistborn, 4 files']],
  [
    'chapters with names',
    { 'A B/T/01 - Arrakis.mp3': null, 'A B/T/02 - Muad.mp3': null, 'A B/T/03 - Prophet.mp3': null },
    ['A B: T, 3 files'],
  ],
  [
    'chapters with names and no numbers',
    { 'Frank Herbert/Dune/Arrakis.mp3': null, 'Frank Herbert/Dune/Prophet.mp3': null },
    ['Frank Herbert: Dune, 2 files'],
  ],
  [
    'books of an author in one folder',
    { 'Jane Austen/Emma.mp3': null, 'Jane Austen/Persuasion.mp3': null },
    ['Jane Austen: Emma, 1 file', 'Jane Austen: Persuasion, 1 file'],
  ],
  [
    'books of a series in one folder, one file each',
    { 'J. K. Rowling/Harry Potter/1 - Stone.m4b': null, 'J. K. Rowling/Harry Potter/2 - Chamber.m4b': null },
    ['J. K. Rowling: Harry Potter #2: Chamber, 1 file', 'J. K. Rowling: Harry Potter #1: Stone, 1 file'],
  ],
  [
    'parts of one book as m4b',
    { 'Frank Herbert/Dune/Dune Part 1.m4b': null, 'Frank Herbert/Dune/Dune Part 2.m4b': null },
    ['Frank Herbert: Dune, 2 files'],
  ],
  [
    'two books in one folder by their albums',
    {
      'mixed/a1.mp3': { album: 'Emma', artist: 'Jane Austen', track: '1' },
      'mixed/a2.mp3': { album: 'Emma', artist: 'Jane Austen', track: '2' },
      'mixed/b1.mp3': { album: 'Dune', artist: 'Frank Herbert', track: '1' },
    },
    ['Frank Herbert: Dune, 1 file', 'Jane Austen: Emma, 2 files'],
  ],
  [
    'albums that differ only in the disc are one book',
    {
      'Dune/a.mp3': { album: 'Dune (Disc 1 of 2)', disc: '1', track: '1' },
      'Dune/b.mp3': { album: 'Dune (Disc 2 of 2)', disc: '2', track: '1' },
    },
    ['nobody: Dune, 2 files'],
  ],
  [
    'the same book as one file and in parts is two books',
    { ...numbered('A B/Dune/##.mp3', 1, 1), 'A B/Dune/Dune.m4b': null },
    ['A B: Dune, 1 file', 'A B: Dune, 1 file'],
  ],
  [
    'a file without album beside an album belongs to it',
    { 'A B/Dune/01.mp3': { album: 'Dune' }, 'A B/Dune/02.mp3': { album: 'Dune' }, 'A B/Dune/03.mp3': null },
    ['A B: Dune, 3 files'],
  ],
  // Discs
  [
    'disc folders',
    { ...numbered('A B/T/CD 1/##.mp3', 1, 2), ...numbered('A B/T/CD 2/##.mp3', 1, 2) },
    ['A B: T, 4 files'],
  ],
  [
    'disc folders in other words',
    { 'A B/T/Disc 01/1.mp3': null, 'A B/T/disk2/1.mp3': null, 'A B/T/CD-03/1.mp3': null },
    ['A B: T, 3 files'],
  ],
  [
    'disc folders that repeat the title',
    { 'A B/Dune/Dune (Disc 1)/1.mp3': null, 'A B/Dune/Dune (Disc 2)/1.mp3': null },
    ['A B: Dune, 2 files'],
  ],
  [
    'discs of several books beside each other',
    { 'A B/Dune CD1/1.mp3': null, 'A B/Dune CD2/1.mp3': null, 'A B/Emma CD1/1.mp3': null },
    ['A B: Dune, 2 files', 'A B: Emma, 1 file'],
  ],
  [
    'numbered folders beside each other are discs',
    { 'A B/T/1/1.mp3': null, 'A B/T/2/1.mp3': null, 'A B/T/3/1.mp3': null },
    ['A B: T, 3 files'],
  ],
  ['one numbered folder is a book', { 'George Orwell/1984/1.mp3': null }, ['George Orwell: 1984, 1 file']],
  [
    'a book and its bonus disc',
    { 'A B/T/01.mp3': null, 'A B/T/02.mp3': null, 'A B/T/CD 2/01.mp3': null },
    ['A B: T, 3 files'],
  ],
  // Names that other programs misread
  ['Book 1 alone keeps its name', numbered('A B/Saga/Book 1/##.mp3', 1, 2), ['A B: Saga #1: Book 1, 2 files']],
  ['Book 1a', numbered('A B/Saga/Book 1a - T/##.mp3', 1, 2), ['A B: Saga #1a: T, 2 files']],
  ['1-3 - Omnibus', numbered('A B/Saga/1-3 - Omnibus/##.mp3', 1, 2), ['A B: Saga #1-3: Omnibus, 2 files']],
  ['0.5', numbered('A B/Saga/0.5 - Before/##.mp3', 1, 2), ['A B: Saga #0.5: Before, 2 files']],
  [
    'a year in front of a title, whatever the other folders are called',
    { 'Andy Weir/2011 - The Martian/1.mp3': null, 'Andy Weir/Artemis/1.mp3': null },
    ['Andy Weir: Artemis, 1 file', 'Andy Weir: The Martian (2011), 1 file'],
  ],
  [
    'years in front of all titles',
    { 'A B/1999 - One/1.mp3': null, 'A B/2001 - Two/1.mp3': null },
    ['A B: One (1999), 1 file', 'A B: Two (2001), 1 file'],
  ],
  [
    'a year in front that the tags say is the title',
    { 'Arthur C. Clarke/2001 - A Space Odyssey/1.mp3': { album: '2001: A Space Odyssey', artist: 'Arthur C. Clarke' } },
    ['Arthur C. Clarke: 2001: A Space Odyssey, 1 file'],
  ],
  ['a title that is a number', numbered('Joseph Heller/Catch 22/##.mp3', 1, 2), ['Joseph Heller: Catch 22, 2 files']],
  [
    'everything in one name, with sizes in braces',
    numbered('2017 - RH-07 - Saved by Valor (Rudd) 48k 05.34.35 {115mb} by chap/##.mp3', 1, 3),
    ['nobody: RH #7: Saved by Valor (2017), read by Rudd, 3 files'],
  ],
  [
    'dots for spaces',
    numbered('Drew.Hayes.-.Fred.the.Vampire.Accountant.01.-.The.Utterly.Uninteresting.Adventures.Unabr/##.mp3', 1, 3),
    ['Drew Hayes: Fred the Vampire Accountant #1: The Utterly Uninteresting Adventures, 3 files'],
  ],
  [
    'initials glued',
    numbered('Jennsen, GS - Amaranthe 14 - Continuum (2020)/##.mp3', 1, 3),
    ['GS Jennsen: Amaranthe #14: Continuum (2020), 3 files'],
  ],
  [
    'a reader in a folder of his own',
    numbered('SoT 02 - Stone of Tears/Audiobook/Read by Jim Bond/Stone - Ch##.mp3', 60, 62),
    ['nobody: SoT #2: Stone of Tears, read by Jim Bond, 3 files'],
  ],
  ['a colon that is none', numbered('A B/Dune꞉ Messiah/##.mp3', 1, 2), ['A B: Dune: Messiah, 2 files']],
  ['an underscore for a colon', numbered('A B/Dune_ Messiah/##.mp3', 1, 2), ['A B: Dune: Messiah, 2 files']],
  [
    'two authors',
    numbered('Terry Pratchett & Neil Gaiman/Good Omens/##.mp3', 1, 2),
    ['Terry Pratchett + Neil Gaiman: Good Omens, 2 files'],
  ],
  [
    'two authors, last names first',
    numbered('Pratchett, Terry; Gaiman, Neil/Good Omens/##.mp3', 1, 2),
    ['Terry Pratchett + Neil Gaiman: Good Omens, 2 files'],
  ],
  [
    'a name with a suffix',
    numbered('Martin Luther King, Jr/Speeches/##.mp3', 1, 2),
    ['Martin Luther King Jr: Speeches, 2 files'],
  ],
  [
    'an author in the name below a folder that is nobody',
    numbered('in/Frank Herbert - Dune (1965)/##.mp3', 1, 2),
    ['Frank Herbert: Dune (1965), 2 files'],
  ],
  ['title - author', numbered('Dune - Frank Herbert/##.mp3', 1, 2), ['Frank Herbert: Dune, 2 files']],
  [
    'title - subtitle',
    numbered('A B/Sapiens - A Brief History/##.mp3', 1, 2),
    ['A B: Sapiens – A Brief History, 2 files'],
  ],
  ['the author again in the title', numbered('A B/A B - Dune/##.mp3', 1, 2), ['A B: Dune, 2 files']],
  ['non-Latin names', numbered('村上春樹/海辺のカフカ/##.mp3', 1, 2), ['村上春樹: 海辺のカフカ, 2 files']],
  [
    'Cyrillic',
    numbered('Михаил Булгаков/Мастер и Маргарита/##.mp3', 1, 2),
    ['Михаил Булгаков: Мастер и Маргарита, 2 files'],
  ],
  // Tags
  [
    'tags beat the folder',
    { 'x/y/1.mp3': { album: 'Dune', albumArtist: 'Frank Herbert', composer: 'Scott Brick', year: '1965' } },
    ['Frank Herbert: Dune (1965), read by Scott Brick, 1 file'],
  ],
  [
    'useless tags do not',
    { 'Frank Herbert/Dune/1.mp3': { album: 'Unknown Album', artist: 'Unknown Artist', title: 'Track 01' } },
    ['Frank Herbert: Dune, 1 file'],
  ],
  [
    'the series in the album',
    { 'x/1.mp3': { album: 'The Expanse - 07 - Persepolis Rising', artist: 'James S. A. Corey' } },
    ['James S. A. Corey: The Expanse #7: Persepolis Rising, 1 file'],
  ],
  [
    'the series behind a colon',
    { 'x/1.mp3': { album: 'Leviathan Wakes: The Expanse, Book 1', artist: 'James S. A. Corey' } },
    ['James S. A. Corey: The Expanse #1: Leviathan Wakes, 1 file'],
  ],
  [
    'a path in a title stays a title',
    { 'x/1.mp3': { album: 'Tarkin - Star Wars - 3/85', artist: 'James Luceno' } },
    ['James Luceno: Tarkin - Star Wars, 1 file'],
  ],
  [
    'several series in a tag',
    { 'x/1.mp3': { album: 'Mort', series: 'Discworld #4; Death #1', artist: 'Terry Pratchett' } },
    ['Terry Pratchett: Discworld #4 + Death #1: Mort, 1 file'],
  ],
  [
    'a series and its part in two tags',
    { 'x/1.mp3': { album: 'Mort', series: 'Discworld', seriesPart: '4' } },
    ['nobody: Discworld #4: Mort, 1 file'],
  ],
  [
    'the artist reads, the album artist wrote',
    { 'x/1.mp3': { album: 'Mort', albumArtist: 'Terry Pratchett', artist: 'Nigel Planer' } },
    ['Terry Pratchett: Mort, read by Nigel Planer, 1 file'],
  ],
  [
    'the series from the tag, its position from the folder',
    { 'Terry Pratchett/Discworld/04 - Mort/1.mp3': { album: 'Mort', artist: 'Terry Pratchett', series: 'Discworld' } },
    ['Terry Pratchett: Discworld #4: Mort, 1 file'],
  ],
  [
    'the author of the tags found in the path',
    { 'Archive/Good Ones/Terry Pratchett/Discworld/04 - Mort/1.mp3': { artist: 'Terry Pratchett' } },
    ['Terry Pratchett: Discworld #4: Mort, 1 file'],
  ],
  [
    'an m4b with everything',
    { 'x.m4b': { title: 'Dune', artist: 'Frank Herbert', composer: 'Scott Brick' } },
    ['Frank Herbert: Dune, read by Scott Brick, 1 file'],
  ],
  // Sidecars
  [
    'an OPF beats everything',
    { 'A B/Wrong/1.mp3': { album: 'Also wrong' }, 'A B/Wrong/metadata.opf': OPF },
    ['Frank Herbert: Dune #1: Dune, read by Simon Vance, 1 file'],
  ],
  [
    'reader.txt',
    { 'A B/T/1.mp3': null, 'A B/T/reader.txt': 'Jim Bond', 'A B/T/desc.txt': 'About.' },
    ['A B: T, read by Jim Bond, 1 file'],
  ],
  [
    'an NFO',
    { 'A B/T/1.mp3': null, 'A B/T/t.nfo': 'Title: Stone of Tears\nRead By: Jim Bond\nCopyright: 1995\n' },
    ['A B: Stone of Tears (1995), read by Jim Bond, 1 file'],
  ],
  [
    'pictures, books to read and what is not finished are no books',
    {
      'A B/T/1.mp3': null,
      'A B/T/cover.jpg': 'x',
      'A B/T/T.epub': 'x',
      'A B/T/2.mp3.part': 'x',
      'A B/T/.~tmp~3.mp3': 'x',
    },
    ['A B: T, 1 file'],
  ],
  [
    'hidden folders are left alone',
    { '.trash/T/1.mp3': null, '@eaDir/T/1.mp3': null, 'T/1.mp3': null },
    ['nobody: T, 1 file'],
  ],
  ['a folder in a folder with the same name', { 'Dune/Dune/1.mp3': null }, ['nobody: Dune, 1 file']],
];

describe('the books of a tree', () => {
  it.each(TREES)('%s', async (_name, tree, expected) => {
    const root = temporaryFolder();
    plant(root, tree);
    const { books, summary } = await scanTree(root);
    expect(books.map(inOneLine).sort()).toEqual([...expected].sort());
    expect(summary.problems).toBe(0);
  });
});
