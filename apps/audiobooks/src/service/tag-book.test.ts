import { closeSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../test/audiobooks.ts';
import { sound } from '../../test/fixtures.ts';
import { readCover } from '../adapters/cover-files.ts';
import { createScanEngine } from '../scan/engine.ts';
import { assets, books, fileFacts, operations } from '../store/definitions.ts';
import { activeSegments } from '../store/timelines.ts';
import { type Audiobooks, fileEngines } from './audiobooks.ts';
import { openAudioFile } from './covers.ts';
import { editBook } from './changes/edit-book.ts';
import { libraryAt } from './libraries.ts';
import { recoverInterrupted, undoOperation } from './operations/recover-operations.ts';
import { organiseBooks } from './organise-books.ts';
import { scanLibrary } from './scan-library.ts';
import { tagBook } from './tag-book.ts';
import { verify } from './verify.ts';

const engines = { ...fileEngines, scan: createScanEngine({ settleMs: 0 }) };
const by = 'test';

interface Place {
  readonly audiobooks: Audiobooks;
  readonly root: string;
  readonly book: string;
  readonly bytes: () => readonly Buffer[];
}

async function place(): Promise<Place> {
  const root = temporaryFolder();
  mkdirSync(join(root, 'Ann Author/Story'), { recursive: true });
  for (const track of [1, 2, 3]) {
    const tags = { album: 'Story', artist: 'Ann Author', track: String(track) };
    copyFileSync(
      sound('mp3', { seconds: 1, frequency: 200 * track, tags, cover: true }),
      join(root, `Ann Author/Story/${track}.mp3`),
    );
  }
  const audiobooks = await temporaryAudiobooks({ engines });
  await scanLibrary(audiobooks, { library: await libraryAt(audiobooks, root), by });
  const [book] = await audiobooks.store.list(books, {});
  await editBook(audiobooks, { book: book!.id, by, set: { series: [{ name: 'Saga', sequence: '2' }] } });
  const bytes = (): readonly Buffer[] => [1, 2, 3].map((n) => readFileSync(join(root, `Ann Author/Story/${n}.mp3`)));
  return { audiobooks, root, book: book!.id, bytes };
}

const inodes = async ({ audiobooks, book }: Place) =>
  (await activeSegments(audiobooks.store, book)).map(({ inode, mtime_ns: at }) => `${inode} ${at}`);

async function coverBytes({ audiobooks, root, book }: Place): Promise<Uint8Array | undefined> {
  const { cover_asset_id: id } = (await audiobooks.store.get(books, { id: book }))!;
  return readCover(root, (await audiobooks.store.get(assets, { id: id! }))!);
}

describe('writing tags', () => {
  it('keeps the originals for undo; the stored tags and the cover follow the files', async () => {
    const home = await place();
    const { audiobooks, root, book, bytes } = home;
    const [before, cover] = [bytes(), await coverBytes(home)];
    const done = await tagBook(audiobooks, { book, by });
    expect(done).toMatchObject({ status: 'completed', undoable: true, result: { tagged: [{}, {}, {}] } });
    expect(readdirSync(join(root, '.holdfast/originals', done.id))).toHaveLength(3);
    const [first] = await activeSegments(audiobooks.store, book);
    expect(await audiobooks.store.get(fileFacts, { segment: first!.id })).toMatchObject({ tags: { trackTotal: 3 } });
    expect(Buffer.from((await coverBytes(home))!).equals(cover!)).toBe(true);
    await scanLibrary(audiobooks, { library: await libraryAt(audiobooks, root), by });
    await undoOperation(audiobooks, { operation: done.id, by });
    expect(bytes()).toEqual(before);
    expect(Buffer.from((await coverBytes(home))!).equals(cover!)).toBe(true);
    expect(existsSync(join(root, '.holdfast'))).toBe(false);
    const stored = await inodes(home);
    await scanLibrary(audiobooks, { library: await libraryAt(audiobooks, root), by });
    expect(await inodes(home)).toEqual(stored);
    await expect(undoOperation(audiobooks, { operation: done.id, by })).rejects.toMatchObject({ code: 'NOT_UNDOABLE' });
    expect((await verify(audiobooks, false)).problems).toEqual([]);
  });

  it('does not interrupt listeners: every file can be opened at every moment, also during undo', async () => {
    const { audiobooks, book } = await place();
    const ids = (await activeSegments(audiobooks.store, book)).map(({ id }) => id);
    const done = new AbortController();
    let opened = 0;
    const listen = async (): Promise<void> => {
      while (!done.signal.aborted) {
        for (const id of ids) {
          const { fd } = await openAudioFile(audiobooks, book, id);
          closeSync(fd);
        }
        opened += 1;
        await new Promise(setImmediate);
      }
    };
    const work = async (): Promise<void> => {
      const { id } = await tagBook(audiobooks, { book, by });
      await undoOperation(audiobooks, { operation: id, by });
    };
    await Promise.all([listen(), work().finally(() => done.abort())]);
    expect(opened).toBeGreaterThan(10);
  });

  it('changes nothing when it is cancelled, and says so', async () => {
    const { audiobooks, book, root, bytes } = await place();
    const before = bytes();
    const cancel = new AbortController();
    const running = tagBook(audiobooks, {
      book,
      by,
      signal: cancel.signal,
      onProgress: (current) => current === 2 && cancel.abort(),
    });
    await expect(running).rejects.toMatchObject({ code: 'OPERATION_CANCELLED' });
    expect(bytes()).toEqual(before);
    expect(existsSync(join(root, '.holdfast'))).toBe(false);
    const [operation] = await audiobooks.store.list(operations.by.type, { type: 'tag' });
    expect(operation).toMatchObject({ status: 'cancelled', undoable: false, result: null });
    expect(await recoverInterrupted(audiobooks)).toEqual([]);
  });

  it('cannot be undone after a file was changed, which stays as it is', async () => {
    const { audiobooks, book, root } = await place();
    const done = await tagBook(audiobooks, { book, by });
    const library = await libraryAt(audiobooks, root);
    await organiseBooks(audiobooks, { library, template: 'Sorted/{title}', by });
    const moved = (await activeSegments(audiobooks.store, book)).map(({ file_path: path }) => join(root, path));
    utimesSync(moved[1]!, new Date(0), new Date(0));
    const tagged = moved.map((path) => readFileSync(path));
    const undo = (): Promise<unknown> => undoOperation(audiobooks, { operation: done.id, by });
    await expect(undo()).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
    expect(moved.map((path) => readFileSync(path))).toEqual(tagged);
    await scanLibrary(audiobooks, { library, by });
    await expect(undo()).rejects.toMatchObject({ code: 'UNDO_CONFLICT' });
    const again = await tagBook(audiobooks, { book, by });
    expect(again.result).toMatchObject({ tagged: [] });
    expect(again.undoable).toBe(false);
  });
});
