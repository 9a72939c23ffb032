import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../test/served.ts';

interface Row {
  readonly id: string;
  readonly title: string;
  readonly files: number;
}
interface Ebooks {
  readonly data: readonly { readonly name: string; readonly size_bytes: number; readonly url: string }[];
}

let place: Served;
beforeAll(async () => {
  place = await serve({
    main: {
      'Jane Austen/Emma/01.mp3': { album: 'Emma', artist: 'Jane Austen' },
      'Jane Austen/Emma/Emma.epub': 'the text of Emma',
      'Jane Austen/Emma/Notes & maps.PDF': '%PDF-1.7',
      'Jane Austen/Emma/notes.txt': 'not an e-book',
      'Jane Austen/Emma/Folder.epub/inside.txt': 'a folder',
      // Two books in one folder: an e-book belongs to the book with the same name.
      'Mixed/Dune.mp3': { album: 'Dune', artist: 'Frank Herbert' },
      'Mixed/Dune.epub': 'the text of Dune',
      'Mixed/Ivanhoe.mp3': { album: 'Ivanhoe', artist: 'Walter Scott' },
      'Mixed/Catalogue.pdf': '%PDF-1.7',
      'Jane Austen/secret.epub': 'beside the folders of books',
    },
  });
  const outside = join(place.home, 'outside.epub');
  writeFileSync(outside, 'outside');
  symlinkSync(outside, join(place.roots['main'] ?? '', 'Jane Austen/Emma/link.epub'));
});
afterAll(() => place.close());

const rows = async (): Promise<readonly Row[]> => (await place.get<{ data: readonly Row[] }>('/books')).data;
const idOf = async (title: string): Promise<string> =>
  (await rows()).find((row) => row.title === title)?.id ?? `no ${title}`;
const names = async (title: string): Promise<readonly string[]> =>
  (await place.get<Ebooks>(`/books/${await idOf(title)}/ebooks`)).data.map(({ name }) => name);

describe('e-books', () => {
  it('are no books of their own and no files of an audiobook', async () => {
    expect((await rows()).map(({ title, files }) => [title, files])).toEqual([
      ['Dune', 1],
      ['Emma', 1],
      ['Ivanhoe', 1],
    ]);
  });

  it('are listed with the book in whose folder they lie, without links and folders', async () => {
    expect(await names('Emma')).toEqual(['Emma.epub', 'Notes & maps.PDF']);
  });

  it('belong to the book with the same name if books share a folder', async () => {
    expect(await names('Dune')).toEqual(['Dune.epub']);
    expect(await names('Ivanhoe')).toEqual([]);
  });

  it('are downloaded under their own name, also in parts', async () => {
    const { data } = await place.get<Ebooks>(`/books/${await idOf('Emma')}/ebooks`);
    const path = (data[0]?.url ?? '').replace('/api/audiobooks', '');
    const whole = await place.ask(path);
    expect([whole.headers.get('content-type'), whole.headers.get('content-disposition'), await whole.text()]).toEqual([
      'application/epub+zip',
      "attachment; filename*=UTF-8''Emma.epub",
      'the text of Emma',
    ]);
    const part = await place.ask(path, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'text']);
  });

  it.each([
    'link.epub',
    '../Emma/Emma.epub',
    '../secret.epub',
    '..%2Fsecret.epub',
    '%2e%2e%2fsecret.epub',
    '01.mp3',
    'notes.txt',
    'Folder.epub',
    'Folder.epub%2Finside.txt',
    'Emma.epub%00',
    'cover.png',
    '.',
  ])('cannot be used to read %s', async (name) => {
    const response = await place.ask(`/books/${await idOf('Emma')}/ebooks/${name}`);
    expect([400, 404]).toContain(response.status);
    expect(await response.text()).not.toMatch(/outside|beside/u);
  });

  it('are hidden from users who may not download', async () => {
    const path = `/rights/${place.users.bob}`;
    await place.ask(path, { method: 'PUT', body: { libraries: 'all', edit: true, download: false }, as: 'owner' });
    const response = await place.ask(`/books/${await idOf('Emma')}/ebooks/Emma.epub`, { as: 'bob' });
    expect(response.status).toBe(404);
  });
});
