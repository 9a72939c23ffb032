import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks, temporaryFolder } from '../../../test/audiobooks.ts';
import { counting } from '../../../test/counting-engine.ts';
import { GROUP_KINDS } from '../../model/choices.ts';
import { books } from '../../store/definitions.ts';
import { openSearchIndex, toFullText } from '../../store/search.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { localListener } from '../listener.ts';
import { showBook } from '../views.ts';
import { browseBooks, type BrowseRequest } from './browse-books.ts';
import { duplicatesPage } from './find-duplicates.ts';
import { pageOfGroups, readSeries } from './groups.ts';

let audiobooks: Audiobooks;
const ann = localListener('U');

beforeEach(async () => {
  audiobooks = await temporaryAudiobooks();
  const found = Array.from({ length: 60 }, (_, number) =>
    scannedBook(`F/${number}`, [scannedFile(`F/${number}/1.mp3`, number)], {
      title: `${number % 2 === 0 ? 'The ' : ''}Story ${number}`,
      authors: [`Author ${number % 6}`],
      narrators: [`Reader ${number % 4}`, 'Chorus'],
      series: number % 3 === 0 ? [{ name: `Row: ${number % 9}`, sequence: String(number / 3 + 1) }] : [],
      genres: [`Genre ${number % 5}`],
      language: 'en',
      description: number === 7 ? 'About a lighthouse' : 'About the sea',
    }),
  );
  await scanFinds(audiobooks, found);
});

async function everything(request: Omit<BrowseRequest, 'limit'>, limit = 7): Promise<string[]> {
  const titles: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await browseBooks(audiobooks, ann, { ...request, limit, cursor });
    titles.push(...page.items.map(({ title }) => title));
    ({ cursor } = page);
  } while (cursor !== undefined);
  return titles;
}

describe('lists', () => {
  it('come in the order of a shelf, page by page, without gaps and repetitions', async () => {
    const titles = await everything({});
    expect(titles).toHaveLength(60);
    expect(titles.slice(0, 4)).toEqual(['The Story 0', 'Story 1', 'The Story 2', 'Story 3']);
    expect(titles.at(-1)).toBe('Story 59');
    expect(await everything({ reverse: true })).toEqual([...titles].reverse());
    expect(new Set(await everything({ sort: 'author' }))).toEqual(new Set(titles));
    expect((await everything({ sort: 'added', reverse: true }))[0]).toBe('Story 59');
  });

  it('leave out a damaged book and report it once, while its own page and changes fail', async () => {
    const problems: unknown[] = [];
    audiobooks = await temporaryAudiobooks({ onProblem: (error) => void problems.push(error) });
    const names = ['One', 'Two', 'Three'];
    await scanFinds(
      audiobooks,
      names.map((title, number) => scannedBook(title, [scannedFile(`${title}/1.mp3`, number)], { title })),
    );
    const [one] = (await browseBooks(audiobooks, ann, { limit: 1 })).items;
    await audiobooks.store.transact(async (tx) => tx.writeKey(books.template.encode({ id: one!.id }), '{"broken'));
    expect(await everything({})).toEqual(['Three', 'Two']);
    expect(await everything({ sort: 'author' })).toHaveLength(2);
    expect(await everything({ narrator: 'Rita Reader' })).toHaveLength(2);
    expect(problems).toMatchObject([{ code: 'VALUE_UNREADABLE' }]);
    await expect(showBook(audiobooks, one!.id)).rejects.toMatchObject({ code: 'VALUE_UNREADABLE' });
  });

  it('are filtered by what books are grouped by', async () => {
    expect(await everything({ author: 'author 3' })).toHaveLength(10);
    expect(await everything({ narrator: 'CHORUS' })).toHaveLength(60);
    expect(await everything({ genre: 'genre 2' })).toHaveLength(12);
    expect(await everything({ language: 'EN' })).toHaveLength(60);
    expect(await everything({ state: 'missing' })).toEqual([]);
    expect(await everything({ author: 'nobody' })).toEqual([]);
  });

  it('read at most three times what they return, whatever is asked for', async () => {
    const counted = counting(audiobooks);
    const requests: Omit<BrowseRequest, 'limit'>[] = [
      {},
      { sort: 'author' },
      { sort: 'added' },
      { narrator: 'Chorus' },
      { language: 'en' },
    ];
    for (const request of requests) {
      const before = counted.reads();
      const { items } = await browseBooks(counted.audiobooks, ann, { ...request, limit: 50 });
      expect(items).toHaveLength(50);
      // One extra read per page shows whether another page follows.
      expect(counted.reads() - before, JSON.stringify(request)).toBeLessThanOrEqual(3 * 51);
    }
    const before = counted.reads();
    const authors = await pageOfGroups(counted.audiobooks, 'author', { limit: 5 });
    expect(authors.items).toHaveLength(5);
    expect(counted.reads() - before).toBeLessThanOrEqual(3 * 6);
  });

  it('of groups say how many books each has', async () => {
    for (const kind of GROUP_KINDS) {
      const all = await pageOfGroups(audiobooks, kind, { limit: 100 });
      let sum = 0;
      let cursor: string | undefined;
      const names: string[] = [];
      do {
        const page = await pageOfGroups(audiobooks, kind, { limit: 2, cursor });
        names.push(...page.items.map(({ name }) => name));
        sum += page.items.reduce((count, group) => count + group.books, 0);
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(names).toEqual(all.items.map(({ name }) => name));
      expect(sum, kind).toBe({ author: 60, series: 20, narrator: 120, genre: 60, tag: 0 }[kind]);
    }
  });
});

describe('a series', () => {
  it('has its books in order and says which are missing', async () => {
    const sequences = ['10', '2', '0.5', '1-3', undefined, '5', '1'];
    await scanFinds(
      audiobooks,
      sequences.map((sequence, number) =>
        scannedBook(`S/${number}`, [scannedFile(`S/${number}/1.mp3`, 900 + number)], {
          series: [{ name: 'Saga: Part', ...(sequence === undefined ? {} : { sequence }) }],
        }),
      ),
    );
    const { books: found, missing } = await readSeries(audiobooks, 'saga part');
    expect(found.map(({ sequence }) => sequence)).toEqual(['0.5', '1', '1-3', '2', '5', '10', null]);
    expect(missing).toEqual([4, 6, 7, 8, 9]);
  });
});

describe('a search', () => {
  it('finds words of any field, also the beginning of one, and follows every change', async () => {
    const titles = async (q: string) =>
      (await browseBooks(audiobooks, ann, { q, limit: 100 })).items.map(({ title }) => title);
    expect(await titles('lighth')).toEqual(['Story 7']);
    expect(await titles('author:"Author 3" genre:"Genre 2"')).toHaveLength(2);
    expect(await titles('title:lighthouse')).toEqual([]);
    expect(await titles('story 41')).toEqual(['Story 41']);
    const [book] = await audiobooks.store.list(books.by.title, { normalized_title: 'story 41' });
    await audiobooks.store.transact((tx) => tx.put(books, { id: book!.id }, { ...book!, title: 'Zürich' }));
    expect(await titles('zurich')).toEqual(['Zürich']);
    expect(await titles('story 41')).toEqual([]);
    await audiobooks.store.transact((tx) =>
      tx.put(books, { id: book!.id }, { ...book!, deleted_at: book!.created_at }),
    );
    expect(await titles('zurich')).toEqual([]);
    const first = await browseBooks(audiobooks, ann, { q: 'sea', limit: 40 });
    const second = await browseBooks(audiobooks, ann, { q: 'sea', limit: 40, cursor: first.cursor });
    expect(first.items.length + second.items.length).toBe(58);
  });

  it('takes nothing that people type for its own language', () => {
    expect(toFullText('  * ( ) ^ " ')).toBeUndefined();
    expect(toFullText('NEAR(a b)')).toBe('("NEAR"* AND "a"*) AND ("b"*)');
    expect(toFullText('foo:bar')).toBe('("foo"* AND "bar"*)');
    expect(toFullText(`o'neil -x`)).toBe('("o"* AND "neil"*) AND ("x"*)');
  });

  it('is built anew when it is thrown away', async () => {
    const folder = temporaryFolder();
    const first = await openSearchIndex(join(folder, 'a.db'));
    const found = await browseBooks({ ...audiobooks, search: async () => first }, ann, { q: 'story', limit: 100 });
    await first.database.close();
    const second = await openSearchIndex(join(folder, 'b.db'));
    const again = await browseBooks({ ...audiobooks, search: async () => second }, ann, { q: 'story', limit: 100 });
    expect(new Set(again.items.map(({ id }) => id))).toEqual(new Set(found.items.map(({ id }) => id)));
    await second.database.close();
  });
});

describe('one book', () => {
  it('is found by id or title, with files and editions', async () => {
    await scanFinds(audiobooks, [
      scannedBook('E/1', [scannedFile('E/1/1.mp3', 900)], { title: 'Emma' }),
      scannedBook('E/2', [scannedFile('E/2/1.mp3', 901)], { title: 'Emma', narrators: ['Someone Else'] }),
    ]);
    await expect(showBook(audiobooks, 'emma')).rejects.toMatchObject({ code: 'NAME_AMBIGUOUS', kind: 'conflict' });
    const [book] = await audiobooks.store.list(books.by.title, { normalized_title: 'emma' });
    const view = await showBook(audiobooks, book!.id.toLowerCase());
    expect(view.editions).toHaveLength(1);
    expect(view.segments).toHaveLength(1);
    expect(view.book).toMatchObject({ title: 'Emma', segment_count: 1, duration_ms: 60_900 });
  });
});

describe('duplicates', () => {
  it('are books with the same sound, number or reading, and not other readings of a work', async () => {
    await scanFinds(audiobooks, [
      scannedBook('X/1', [scannedFile('X/1/1.mp3', 900)], { title: 'Emma' }),
      scannedBook('X/2', [scannedFile('X/2/1.mp3', 901)], { title: 'Emma', narrators: ['Someone Else'] }),
      scannedBook('X/3', [scannedFile('X/3/1.mp3', 902)], { title: 'Emma' }),
      scannedBook('X/4', [scannedFile('X/4/1.mp3', 903, { quickHash: 'same', durationMs: 5_000 })]),
      scannedBook('X/5', [scannedFile('X/5/1.mp3', 904, { quickHash: 'same', durationMs: 5_000 })]),
      scannedBook('X/6', [scannedFile('X/6/1.mp3', 905)], { isbn: '9780804429573' }),
      scannedBook('X/7', [scannedFile('X/7/1.mp3', 906)], { isbn: '080442957X' }),
    ]);
    const { items } = await duplicatesPage(audiobooks, () => true, { limit: 10 });
    const groups = items.map(({ reason, books: same }) => [reason, same.map(({ folder }) => folder ?? '')]);
    expect(groups).toEqual([
      ['same_files', ['X/4', 'X/5']],
      ['same_number', ['X/6', 'X/7']],
      ['same_reading', ['X/1', 'X/3']],
    ]);
  });

  it('share most of their audio, not one file', async () => {
    const part = (path: string, number: number, minutes: number) =>
      scannedFile(path, number, { quickHash: `part${number}`, durationMs: minutes * 60_000 });
    const intro = (path: string, number: number) =>
      scannedFile(path, number, { quickHash: 'intro', durationMs: 60_000 });
    await scanFinds(audiobooks, [
      scannedBook('Y/1', [intro('Y/1/0.mp3', 800), part('Y/1/1.mp3', 801, 60), part('Y/1/2.mp3', 802, 60)]),
      scannedBook('Y/2', [intro('Y/2/0.mp3', 810), part('Y/2/1.mp3', 811, 60)]),
      scannedBook('Y/3', [
        { ...part('Y/3/1.mp3', 801, 60), inode: '77' },
        { ...part('Y/3/2.mp3', 802, 60), inode: '78' },
      ]),
      scannedBook('Y/4', [{ ...part('Y/4/1.mp3', 802, 60), inode: '79' }]),
    ]);
    const { items } = await duplicatesPage(audiobooks, () => true, { limit: 10 });
    const groups = items.map(({ books: same, overlapPercent }) => [
      overlapPercent,
      ...same.map(({ folder }) => folder),
    ]);
    expect(groups).toEqual([[99, 'Y/1', 'Y/3']]);
  });
});
