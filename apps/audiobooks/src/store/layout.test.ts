import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineOn, keyMatcher, openKeyspace, sqliteEngine } from '@holdfast/keyspace';
import { openDatabase } from '@holdfast/sqlite';
import { describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryAudiobooks, temporaryFolder } from '../../test/audiobooks.ts';
import { type Audiobooks, openAudiobooks } from '../service/audiobooks.ts';
import { editBook } from '../service/changes/edit-book.ts';
import { localListener } from '../service/listener.ts';
import { browseBooks } from '../service/queries/browse-books.ts';
import { books, durationMaps, libraries, operations, schema, segments } from './definitions.ts';

const keysOf = async ({ store }: Audiobooks) =>
  (await store.engine.range({ gte: '', lt: '\u{10ffff}', limit: 100_000, reverse: false })).map(([key]) => key);

describe('the keys', () => {
  it('are all explained in docs/fidelity/audiobooks.md', () => {
    const source = readFileSync(join(import.meta.dirname, 'definitions.ts'), 'utf8');
    const explained = readFileSync(join(import.meta.dirname, '../../../../docs/fidelity/audiobooks.md'), 'utf8');
    const templates = [...source.matchAll(/'((?:[a-z\d_]+:)+)(?:[a-z_]*'|\{)/gu)].map(([, prefix = '']) => prefix);
    expect(templates.length).toBeGreaterThan(80);
    expect([...new Set(templates)].filter((prefix) => !explained.includes(`\`${prefix}`))).toEqual([]);
  });

  it('are those of the design document, with the id of each record in its place', async () => {
    const audiobooks = await temporaryAudiobooks();
    const fields = { series: [{ name: 'Saga', sequence: '2' }], genres: ['SF'], isbn: '080442957X', language: 'en' };
    await scanFinds(audiobooks, [scannedBook('A', [scannedFile('A/1.mp3', 1)], { title: 'Dune', ...fields })]);
    const names = new Map<string, string>();
    const named = (prefix: string): string => `<${prefix}>`;
    for (const key of await keysOf(audiobooks)) {
      const match = /^(a|s|w|b|bf|lib):([0-9A-Z]{26})$/u.exec(key);
      if (match !== null) names.set(match[2]!, named(match[1]!));
    }
    const shown = (await keysOf(audiobooks)).map((key) =>
      key.replaceAll(/[0-9A-Z]{26}/gu, (id) => names.get(id) ?? id),
    );
    expect(shown.filter((key) => !/^meta:(?:lib)?count/u.test(key) && !key.startsWith('mig:'))).toEqual(
      [
        'a:<a>',
        'b:<b>',
        'bdm:<b>:0000000001',
        'bf:<bf>',
        'bfi:<b>:0000000000',
        'bft:<bf>',
        'idx:author:name:ann author:<a>',
        'idx:author:sort:author ann  :<a>',
        'idx:bf:book:<b>:<bf>',
        'idx:bf:hash:hash1:<bf>',
        'idx:bf:ino:1:1001:<bf>',
        'idx:bf:path:<lib>:A%2F1.mp3',
        'idx:book:author:<a>:dune  :<b>',
        'idx:book:folder:<lib>:A:<b>',
        'idx:book:genre:sf:dune  :<b>',
        'idx:book:isbn10:080442957X:<b>',
        'idx:book:isbn13:9780804429573:<b>',
        'idx:book:language:en:dune  :<b>',
        'idx:book:library:<lib>:dune  :<b>',
        'idx:book:narrator:rita reader:dune  :<b>',
        'idx:book:series:<s>:00000000002.0000:dune  :<b>',
        'idx:book:sort:author:author ann  :dune  :<b>',
        'idx:book:sort:duration:000000000060001:<b>',
        'idx:book:sort:title:dune  :<b>',
        'idx:book:title:dune:<b>',
        'idx:book:work:<w>:<b>',
        'idx:lib:root:%2Flibrary',
        'idx:narrator:sort:reader rita  :rita reader',
        'idx:series:author:<a>:<s>',
        'idx:series:name:saga:<s>',
        'idx:series:sort:saga  :<s>',
        'idx:work:title:dune:author:<a>:<w>',
        'lib:<lib>',
        'meta:version',
        'n:rita reader',
        's:<s>',
        'scan:<lib>:A',
        'w:<w>',
      ].toSorted(),
    );
  });

  it('of maps, counters and logs are not among those of books and operations', async () => {
    const audiobooks = await temporaryAudiobooks();
    await scanFinds(audiobooks, [scannedBook('A', [scannedFile('A/1.mp3', 1)])]);
    const [book] = await audiobooks.store.list(books, {});
    await editBook(audiobooks, { book: book!.id, set: { year: 1 }, by: 'me' });
    expect(await audiobooks.store.list(books, {}, { reverse: true })).toHaveLength(1);
    expect(await audiobooks.store.list(operations, {}, { reverse: true })).toHaveLength(1);
    expect(await audiobooks.store.list(durationMaps, {})).toHaveLength(1);
    const role = keyMatcher(schema);
    for (const key of await keysOf(audiobooks)) expect(role(key), key).toBeDefined();
  });

  it('hold any text: colons, other alphabets, long titles, and never each other\u2019s', async () => {
    const audiobooks = await temporaryAudiobooks();
    const titles = [
      'Dune',
      'Dune: House Atreides',
      '100%',
      '日本語',
      'Привет',
      'x'.repeat(500),
      `${'x'.repeat(500)}y`,
      'a/b',
    ];
    await scanFinds(
      audiobooks,
      titles.map((title, index) => scannedBook(`F${index}`, [scannedFile(`F${index}/1.mp3`, index)], { title })),
    );
    for (const book of await audiobooks.store.list(books, {})) {
      const { value } = await editBook(audiobooks, { book: book.id, set: { tags: ['ünï', 'тег', 'a:b'] }, by: 'me' });
      const same = await audiobooks.store.list(books.by.title, { normalized_title: book.normalized_title });
      expect(same.map(({ id }) => id)).toEqual([value.id]);
    }
    for (const tag of ['ünï', 'тег', 'a:b']) {
      expect((await browseBooks(audiobooks, localListener('U'), { tag, limit: 100 })).items, tag).toHaveLength(
        titles.length,
      );
    }
    expect((await audiobooks.store.verify()).problems).toEqual([]);
  });

  it('refuse a number that does not fit', async () => {
    const audiobooks = await temporaryAudiobooks();
    const key = { book_id: audiobooks.newId(), order: 10 ** 10 };
    expect(() => segments.by.order.template.encode(key)).toThrow(expect.objectContaining({ code: 'KEY_INVALID' }));
  });

  it('of several tenants lie side by side and do not see each other', async () => {
    const path = join(temporaryFolder(), 'audiobooks.db');
    const one = await openAudiobooks({ path, tenant: 'one' });
    const two = await openAudiobooks({ path, tenant: 'two' });
    await scanFinds(one, [scannedBook('A', [scannedFile('A/1.mp3', 1)])]);
    expect(await two.store.list(books, {})).toEqual([]);
    await scanFinds(two, [scannedBook('A', [scannedFile('A/1.mp3', 1)])]);
    expect(await one.store.list(books, {})).toHaveLength(1);
    expect((await one.store.verify()).problems).toEqual([]);
    const database = await openDatabase({ path, kind: 'keyspace' });
    const all = await engineOn(database).range({ gte: 'tenant:', lt: 'tenant;', limit: 10_000, reverse: false });
    expect(new Set(all.map(([key]) => key.split(':')[1]))).toEqual(new Set(['one', 'two']));
    await database.close();
    await one.store.close();
    await two.store.close();
  });
});

describe('making the same thing at once', () => {
  it('makes it once, also when ten scans of one folder run on two connections', async () => {
    const path = join(temporaryFolder(), 'audiobooks.db');
    const opened = await Promise.all([openAudiobooks({ path }), openAudiobooks({ path })]);
    const found = [scannedBook('A', [scannedFile('A/1.mp3', 1)])];
    await Promise.all(Array.from({ length: 10 }, (_, index) => scanFinds(opened[index % 2]!, found)));
    const keyspace = await openKeyspace({ engine: await sqliteEngine({ path }), schema });
    for (const definition of [books, libraries] as const) {
      expect(
        await keyspace.engine.range({ ...definition.template.range({}), limit: 100, reverse: false }),
      ).toHaveLength(1);
    }
    expect((await keyspace.verify()).problems).toEqual([]);
    await keyspace.close();
    for (const { store } of opened) await store.close();
  });
});
