import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sqliteEngine } from '@holdfast/keyspace';
import { describe, expect, it } from 'vitest';
import { scanFinds, scannedBook, scannedFile, temporaryFolder } from '../../../test/audiobooks.ts';
import { openAudiobooks } from '../../service/audiobooks.ts';
import { editBook } from '../../service/changes/edit-book.ts';
import { localListener } from '../../service/listener.ts';
import { browseBooks } from '../../service/queries/browse-books.ts';
import { verify } from '../../service/verify.ts';
import { books } from '../definitions.ts';
import { Sealer, turnOnEncryption } from '../encryption.ts';

const secret = new Uint8Array(randomBytes(32));

async function library() {
  const folder = temporaryFolder();
  const path = join(folder, 'audiobooks.db');
  const first = await openAudiobooks({ path });
  await scanFinds(first, [scannedBook('A', [scannedFile('A/1.mp3', 1)], { description: 'A secret story' })]);
  const [book] = await first.store.list(books, {});
  await turnOnEncryption(first.store.engine, secret, ['description']);
  await first.store.close();
  return { folder, path, id: book!.id };
}

const rawValue = async (path: string, key: string): Promise<string> => {
  const engine = await sqliteEngine({ path });
  const value = String(await engine.get(key));
  await engine.close();
  return value;
};

describe('encrypted fields', () => {
  it('are unreadable in the file and plain to whoever has the key, also through changes, checks and history', async () => {
    const { path, id } = await library();
    expect(await rawValue(path, `b:${id}`)).not.toContain('secret');
    const audiobooks = await openAudiobooks({ path, secret: () => secret });
    expect((await audiobooks.store.get(books, { id }))?.description).toBe('A secret story');
    await editBook(audiobooks, { book: id, set: { description: 'Another secret', year: 2000 }, by: 'me' });
    expect((await audiobooks.store.get(books, { id }))?.description).toBe('Another secret');
    expect((await verify(audiobooks, false)).problems).toEqual([]);
    expect((await browseBooks(audiobooks, localListener('U'), { q: 'secret', limit: 5 })).items).toEqual([]);
    const all = await audiobooks.store.engine.range({ gte: 'hist:', lt: 'hist;', limit: 10, reverse: false });
    expect(JSON.stringify(all)).toContain('Another secret');
    await audiobooks.close();
    for (const [key] of all) expect(await rawValue(path, key)).not.toContain('secret');
  });

  it('keep transactions that race with one another right', async () => {
    const { path, id } = await library();
    const audiobooks = await openAudiobooks({ path, secret: () => secret });
    await Promise.all(
      Array.from({ length: 20 }, () =>
        audiobooks.store.transact((tx) =>
          tx.update(books, { id }, (book) => ({
            ...book,
            description: `${book.description}+`,
            revision: book.revision + 1,
          })),
        ),
      ),
    );
    expect((await audiobooks.store.get(books, { id }))?.description).toBe(`A secret story${'+'.repeat(20)}`);
    await audiobooks.close();
  });

  it('need the right key', async () => {
    const { path } = await library();
    await expect(openAudiobooks({ path })).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_MISSING' });
    const wrong = () => new Uint8Array(32);
    await expect(openAudiobooks({ path, secret: wrong })).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_MISSING' });
  });

  it('cannot be changed or moved to another record unnoticed', () => {
    const sealer = new Sealer(secret, ['description']);
    const sealed = sealer.seal('b:1', JSON.stringify({ description: 'x' }));
    expect(sealer.open('b:1', sealed)).toBe('{"description":"x"}');
    const damaged = expect.objectContaining({ code: 'ENCRYPTED_VALUE_DAMAGED' });
    expect(() => sealer.open('b:2', sealed)).toThrow(damaged);
    const changed = sealed.replace(/.(?=.{4}"\}$)/u, (character) => (character === 'A' ? 'B' : 'A'));
    expect(() => sealer.open('b:1', changed)).toThrow(damaged);
  });

  it('from before encryption was turned on can still be read and changed', async () => {
    const { path, id } = await library();
    const raw = await sqliteEngine({ path });
    const plainBook = JSON.stringify({
      ...(JSON.parse(String(await raw.get(`b:${id}`))) as object),
      description: 'a late addition',
    });
    await raw.commit({
      base: undefined,
      reads: new Map(),
      ranges: [],
      writes: new Map([[`b:${id}`, plainBook]]),
      appends: [],
      additions: [],
    });
    await raw.close();
    const audiobooks = await openAudiobooks({ path, secret: () => secret });
    await editBook(audiobooks, { book: id, set: { year: 7 }, by: 'me' });
    await audiobooks.close();
    expect(await rawValue(path, `b:${id}`)).not.toContain('a late addition');
  });
});
