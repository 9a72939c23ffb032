import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../../test/audiobooks.ts';
import { audiobookshelfServer, type Rows, sqlTime, uuid } from '../../../test/audiobookshelf-server.ts';
import { coverFile, sound } from '../../../test/fixtures.ts';
import { plant } from '../../../test/tree.ts';
import { books, clientSessions, playlistItems, playlists, userListenSeconds } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { undoChange } from '../changes/undo-change.ts';
import { editBook } from '../changes/edit-book.ts';
import { editChapters } from '../changes/edit-chapters.ts';
import { localListener, rightsOf } from '../listener.ts';
import { allBookmarks } from '../listening/bookmarks.ts';
import { progressIn } from '../listening/progress.ts';
import { readLog } from '../../store/operations.ts';
import { catchUp } from '../statistics/count.ts';
import { verify } from '../verify.ts';
import { showBook } from '../views.ts';
import { importAudiobookshelf, previewAudiobookshelf } from './from-audiobookshelf.ts';
import { exportToAudiobookshelf } from './to-audiobookshelf.ts';

/** Bcrypt hashes of "old secret words" and "kid secret words". */
const OLD_HASH = '$2a$08$P2bNRA4uCA9hk2V.8eLCNOqOysO0q5CGXUeYfQEp6jya57VfzVDQW';
const KID_HASH = '$2a$08$oKUhAKnUOkHOfD/0faR.DeNWbb6yuSKjR4fwu4c5BXwnPtDEtfnuy';

const ROOT = uuid(1);
const KID = uuid(2);
const FICTION = uuid(10);
const SECRET = uuid(11);
const ALL = {
  download: true,
  update: true,
  accessAllLibraries: true,
  accessAllTags: true,
  accessExplicitContent: true,
};

function source(): { readonly dir: string; readonly here: string } {
  const [dir, here] = [temporaryFolder(), temporaryFolder()];
  plant(here, {
    'Fiction/Dune.m4b': null,
    'Secret/Anon/Diary/1.mp3': { title: 'Diary' },
  });
  mkdirSync(join(here, 'Fiction/Jane Austen/Emma'), { recursive: true });
  for (const [name, title] of Object.entries({ '01.mp3': 'One', '02.mp3': 'Two' })) {
    copyFileSync(sound('mp3', { seconds: 100, tags: { title } }), join(here, 'Fiction/Jane Austen/Emma', name));
  }
  const file = (path: string) => ({ index: 1, metadata: { path: `/audiobooks/${path}` } });
  const permissions = { ...ALL, update: false, accessAllLibraries: false, librariesAccessible: [FICTION] };
  const rows: Rows = {
    users: [
      {
        id: ROOT,
        username: 'root',
        pash: OLD_HASH,
        type: 'root',
        isActive: 1,
        permissions: ALL,
        bookmarks: [{ libraryItemId: uuid(30), time: 12, title: 'Here', createdAt: 1_700_000_000_000 }],
      },
      {
        id: KID,
        username: 'The Kid',
        pash: KID_HASH,
        type: 'user',
        isActive: 1,
        permissions,
        bookmarks: [],
      },
      {
        id: uuid(3),
        username: 'gone',
        pash: null,
        type: 'user',
        isActive: 0,
        permissions: { ...ALL, accessAllTags: false },
        bookmarks: [],
      },
    ],
    libraries: [
      { id: FICTION, name: 'Fiction', displayOrder: 1, mediaType: 'book' },
      { id: SECRET, name: 'Secret', displayOrder: 2, mediaType: 'book' },
      { id: uuid(12), name: 'Podcasts', displayOrder: 3, mediaType: 'podcast' },
    ],
    libraryFolders: [
      { id: uuid(20), path: '/audiobooks/Fiction', libraryId: FICTION },
      { id: uuid(21), path: '/audiobooks/Secret', libraryId: SECRET },
    ],
    books: [
      {
        id: uuid(40),
        title: 'Emma, or the Matchmaker',
        publishedYear: '1815',
        description: '<p>A novel.</p>',
        coverPath: `/metadata/items/${uuid(30)}/cover.png`,
        narrators: ['Rita Reader'],
        genres: ['Classics'],
        tags: ['calm'],
        audioFiles: [file('Fiction/Jane Austen/Emma/01.mp3'), file('Fiction/Jane Austen/Emma/02.mp3')],
        chapters: [
          { id: 0, start: 0, end: 50.5, title: 'Highbury' },
          { id: 1, start: 50.5, end: 200, title: 'Hartfield' },
        ],
      },
      { id: uuid(41), title: 'Dune', narrators: [], genres: [], tags: [], audioFiles: [file('Fiction/Dune.m4b')] },
      { id: uuid(42), title: 'Lost', narrators: [], genres: [], tags: [], audioFiles: [file('Fiction/Lost/1.mp3')] },
    ],
    libraryItems: [
      {
        id: uuid(30),
        path: '/audiobooks/Fiction/Jane Austen/Emma',
        mediaId: uuid(40),
        mediaType: 'book',
        isFile: 0,
        libraryId: FICTION,
        libraryFolderId: uuid(20),
      },
      {
        id: uuid(31),
        path: '/audiobooks/Fiction/Dune.m4b',
        mediaId: uuid(41),
        mediaType: 'book',
        isFile: 1,
        libraryId: FICTION,
        libraryFolderId: uuid(20),
      },
      {
        id: uuid(32),
        path: '/audiobooks/Fiction/Lost',
        mediaId: uuid(42),
        mediaType: 'book',
        isFile: 0,
        libraryId: FICTION,
        libraryFolderId: uuid(20),
      },
    ],
    authors: [
      { id: uuid(50), name: 'Jane Austen', libraryId: FICTION },
      { id: uuid(51), name: 'Frank Herbert', libraryId: FICTION },
    ],
    bookAuthors: [
      { id: uuid(52), bookId: uuid(40), authorId: uuid(50) },
      { id: uuid(53), bookId: uuid(41), authorId: uuid(51) },
    ],
    series: [{ id: uuid(54), name: 'Dune Saga', libraryId: FICTION }],
    bookSeries: [{ id: uuid(55), sequence: '1', bookId: uuid(41), seriesId: uuid(54) }],
    collections: [{ id: uuid(60), name: 'Favourites', libraryId: FICTION }],
    collectionBooks: [
      { id: uuid(61), order: 2, bookId: uuid(40), collectionId: uuid(60) },
      { id: uuid(62), order: 1, bookId: uuid(41), collectionId: uuid(60) },
    ],
    playlists: [{ id: uuid(63), name: 'Bed time', libraryId: FICTION, userId: KID }],
    playlistMediaItems: [
      { id: uuid(64), mediaItemId: uuid(40), mediaItemType: 'book', order: 1, playlistId: uuid(63) },
    ],
    mediaProgresses: [
      {
        id: uuid(70),
        mediaItemId: uuid(40),
        mediaItemType: 'book',
        currentTime: 61.5,
        isFinished: 0,
        hideFromContinueListening: 0,
        userId: KID,
        updatedAt: sqlTime('2025-06-01T10:00:00.000Z'),
      },
      {
        id: uuid(71),
        mediaItemId: uuid(41),
        mediaItemType: 'book',
        currentTime: 0,
        isFinished: 1,
        finishedAt: sqlTime('2025-05-01T10:00:00.000Z'),
        userId: KID,
        updatedAt: sqlTime('2025-05-01T10:00:00.000Z'),
      },
    ],
    devices: [{ id: uuid(80), deviceId: 'phone', clientName: 'Abs Android', userId: KID }],
    playbackSessions: [
      {
        id: uuid(81),
        mediaItemId: uuid(40),
        mediaItemType: 'book',
        startTime: 0,
        currentTime: 60,
        timeListening: 60,
        mediaPlayer: 'exo',
        userId: KID,
        deviceId: uuid(80),
        createdAt: sqlTime('2025-05-30T10:00:00.000Z'),
        updatedAt: sqlTime('2025-05-30T11:00:00.000Z'),
      },
    ],
  };
  return { dir: audiobookshelfServer(dir, rows, { [uuid(30)]: readFileSync(coverFile()) }), here };
}

/** Hashes every file with its times, to prove that nothing changed. */
function fingerprint(dir: string): string {
  const hashed = createHash('sha256');
  for (const entry of readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort()) {
    const facts = statSync(join(dir, entry));
    hashed.update(
      `${entry} ${facts.size} ${facts.mtimeMs} ${facts.isFile() ? readFileSync(join(dir, entry), 'hex') : ''}`,
    );
  }
  return hashed.digest('hex');
}

async function openHome(): Promise<Audiobooks> {
  const audiobooks = await temporaryAudiobooks();
  const accounts = await audiobooks.accounts.accounts();
  await accounts.createOwner({ username: 'root', password: 'correct horse battery' });
  return audiobooks;
}

const chapterTitles = async (audiobooks: Audiobooks, book: string): Promise<readonly string[]> =>
  (await showBook(audiobooks, book)).chapters.map(({ title }) => title);

const everything = async ({ store }: Audiobooks): Promise<unknown> => {
  const kept = await Promise.all([store.list(books, {}), store.list(playlists, {}), store.list(clientSessions, {})]);
  return JSON.parse(JSON.stringify(kept));
};

describe('an import from Audiobookshelf', () => {
  it('counts first and changes nothing, neither here nor there', async () => {
    const { dir, here } = source();
    const before = fingerprint(dir);
    const preview = await previewAudiobookshelf({ dir, folders: [`/audiobooks=${here}`] });
    expect(preview).toMatchObject({
      users: 3,
      libraries: 2,
      books: 3,
      series: 1,
      collections: 1,
      playlists: 1,
      progress: 2,
      bookmarks: 1,
      sessions: 1,
      covers: 1,
      unreadable: 0,
      books_without_folder: 0,
    });
    expect((await previewAudiobookshelf({ dir, folders: [] })).folders).toEqual([
      { library: 'Fiction', path: '/audiobooks/Fiction', here: null },
      { library: 'Secret', path: '/audiobooks/Secret', here: null },
    ]);
    expect(fingerprint(dir)).toBe(before);
  });

  it('brings books, lists, users with their passwords, positions and listening time, and can be repeated', async () => {
    const { dir, here } = source();
    const before = fingerprint(dir);
    const audiobooks = await openHome();
    const { store } = audiobooks;
    const request = { dir, folders: [`/audiobooks=${here}`], by: 'test' };
    const operation = await importAudiobookshelf(audiobooks, request);
    expect(operation.result).toMatchObject({
      matched: 2,
      covers: 1,
      users: 2,
      playlists: 2,
      sessions: 1,
      progress: 2,
      bookmarks: 1,
    });
    const accounts = await audiobooks.accounts.accounts();
    const kid = (await accounts.login({ name: 'The.Kid', password: 'kid secret words' })).user;
    const root = (await accounts.findUser('root')).id;
    expect(
      await accounts.login({ name: 'root', password: 'old secret words' }).catch((error: unknown) => error),
    ).toMatchObject({ code: 'CREDENTIALS_WRONG' });
    expect((await accounts.findUser('gone')).status).toBe('disabled');

    const all = await store.list(books, {});
    const emma = all.find(({ title }) => title.startsWith('Emma'))!;
    const dune = all.find(({ title }) => title === 'Dune')!;
    expect(emma).toMatchObject({
      title: 'Emma, or the Matchmaker',
      published_year: 1815,
      description: 'A novel.',
      narrators: ['Rita Reader'],
      tags: ['calm'],
      provenance: { title: 'import', cover: 'import' },
    });
    expect(await chapterTitles(audiobooks, emma.id)).toEqual(['Highbury', 'Hartfield']);
    expect(dune.series).toMatchObject([{ name: 'Dune Saga', sequence: '1' }]);
    const diary = all.find(({ folder }) => folder === 'Anon/Diary')!;
    // In Audiobookshelf, the kid saw only one library, and the disabled user was limited by tags.
    expect(await rightsOf(store, kid.id)).toMatchObject({ libraries: [emma.library_id], edit: false, download: true });
    expect(diary.library_id).not.toBe(emma.library_id);
    expect(await rightsOf(store, (await accounts.findUser('gone')).id)).toMatchObject({ libraries: [] });

    const listener = localListener(kid.id);
    expect(await progressIn(audiobooks, listener, emma.id)).toMatchObject({
      book_position_ms: 61_500,
      finished: false,
      updated_at: '2025-06-01T10:00:00.000Z',
    });
    expect(await progressIn(audiobooks, listener, dune.id)).toMatchObject({
      finished: true,
      finished_at: '2025-05-01T10:00:00.000Z',
    });
    await catchUp(audiobooks, kid.id);
    expect(await store.get(userListenSeconds, { user: kid.id })).toBe(60);
    expect(await allBookmarks(audiobooks, localListener(root))).toMatchObject([
      { book_id: emma.id, book_position_ms: 12_000, note: 'Here' },
    ]);
    const lists = await store.list(playlists, {});
    expect(new Map(lists.map(({ name, user_id: user }) => [name, user]))).toEqual(
      new Map([
        ['Bed time', kid.id],
        ['Favourites', null],
      ]),
    );
    const shared = lists.find(({ user_id: user }) => user === null)!;
    expect((await store.list(playlistItems, { playlist: shared.id })).map(({ book_id: id }) => id)).toEqual([
      dune.id,
      emma.id,
    ]);

    const once = await everything(audiobooks);
    const again = await importAudiobookshelf(audiobooks, request);
    expect(again.result).toMatchObject({ changed: 0, covers: 0, users: 0, playlists: 0, progress: 0, bookmarks: 0 });
    expect(await everything(audiobooks)).toEqual(once);
    await catchUp(audiobooks, kid.id);
    expect(await store.get(userListenSeconds, { user: kid.id })).toBe(60);
    expect(fingerprint(dir)).toBe(before);
    expect((await verify(audiobooks, false)).problems).toEqual([]);
  });

  it('keeps edits and newer positions, says what it did not find, and its changes to books are undone', async () => {
    const { dir, here } = source();
    const audiobooks = await openHome();
    const { store } = audiobooks;
    const request = { dir, folders: [`/audiobooks=${here}`], by: 'test' };
    const first = await importAudiobookshelf(audiobooks, request);
    const messages = (await readLog(store, first.id, 0, 100)).map(({ message }) => message);
    expect(messages.join('\n')).toContain('Books from Audiobookshelf that the scan did not find: 1.');
    expect(messages.join('\n')).toContain('gone does not see Fiction, Secret');
    const id = (await store.list(books, {})).find(({ title }) => title.startsWith('Emma'))!.id;
    await undoChange(audiobooks, first, 'test');
    expect(await store.get(books, { id })).toMatchObject({ title: 'Emma', published_year: null });
    expect(await chapterTitles(audiobooks, id)).toEqual(['One', 'Two']);
    await editChapters(audiobooks, { book: id, marks: [{ title: 'All', startMs: 0 }], by: 'test' });
    await editBook(audiobooks, { book: id, set: { title: 'My Emma' }, by: 'test' });
    await importAudiobookshelf(audiobooks, request);
    expect(await store.get(books, { id })).toMatchObject({ title: 'My Emma', published_year: 1815 });
    expect(await chapterTitles(audiobooks, id)).toEqual(['All']);
  });

  it('needs the first user, and refuses a folder that is something else or damaged', async () => {
    const { dir, here } = source();
    const request = { dir, folders: [`/audiobooks=${here}`], by: 'test' };
    const fresh = await temporaryAudiobooks();
    await expect(importAudiobookshelf(fresh, request)).rejects.toMatchObject({ code: 'IMPORT_NEEDS_OWNER' });
    expect(await fresh.store.list(books, {})).toEqual([]);
    await expect(previewAudiobookshelf({ dir: here, folders: [] })).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
    await expect(previewAudiobookshelf({ dir, folders: ['nonsense'] })).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
    });
    const other = temporaryFolder();
    mkdirSync(join(other, 'config'));
    plant(other, { 'config/absdatabase.sqlite': 'not a database, '.repeat(100) });
    await expect(previewAudiobookshelf({ dir: other, folders: [] })).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  });
});

it('writes metadata.json files, from which a scan reads the same fields', async () => {
  const { dir, here } = source();
  const audiobooks = await openHome();
  await importAudiobookshelf(audiobooks, { dir, folders: [`/audiobooks=${here}`], by: 'test' });
  const out = temporaryFolder();
  expect(await exportToAudiobookshelf(audiobooks, out)).toEqual({ files: 2, without_folder: 1 });
  const written = JSON.parse(
    readFileSync(join(out, 'Fiction', 'Jane Austen', 'Emma', 'metadata.json'), 'utf8'),
  ) as object;
  expect(written).toMatchObject({
    title: 'Emma, or the Matchmaker',
    authors: ['Jane Austen'],
    publishedYear: '1815',
    tags: ['calm'],
    chapters: [
      { id: 0, start: 0, title: 'Highbury' },
      { id: 1, title: 'Hartfield' },
    ],
  });
});
