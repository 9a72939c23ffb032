import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HoldfastError } from '@holdfast/base';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryAudiobooks, temporaryFolder } from '../../test/audiobooks.ts';
import { runFfmpeg, sound } from '../../test/fixtures.ts';
import { listenTo, progressOf } from '../../test/listening.ts';
import type { Operation } from '../model/operation.ts';
import { createScanEngine } from '../scan/engine.ts';
import { books } from '../store/definitions.ts';
import { activeSegments } from '../store/timelines.ts';
import { type Audiobooks, fileEngines } from './audiobooks.ts';
import { libraryAt } from './libraries.ts';
import { mergeBook } from './merge/encode-book.ts';
import { organiseBooks } from './organise-books.ts';
import { scanLibrary } from './scan-library.ts';
import { undoOperation } from './operations/recover-operations.ts';
import { verify } from './verify.ts';

/**
 * Runs operations on real files in random order. The book must keep its identity, and listeners must keep their
 * position.
 */

const engines = { ...fileEngines, scan: createScanEngine({ settleMs: 0 }) };

const SECONDS = [3, 2, 4];
const by = 'test';

const UNDO_REFUSALS = new Set(['FILE_CHANGED', 'UNDO_CONFLICT']);

class World {
  readonly audiobooks: Audiobooks;
  readonly root: string;
  readonly bookId: string;
  readonly undoable: Operation[] = [];
  #names = 0;

  private constructor(audiobooks: Audiobooks, root: string, bookId: string) {
    this.audiobooks = audiobooks;
    this.root = root;
    this.bookId = bookId;
  }

  static async make(): Promise<World> {
    const root = temporaryFolder();
    const folder = join(root, 'Ann Author', 'Long Story');
    mkdirSync(folder, { recursive: true });
    for (const [index, seconds] of SECONDS.entries()) {
      const tags = { album: 'Long Story', artist: 'Ann Author', track: String(index + 1), title: `Part ${index + 1}` };
      copyFileSync(sound('mp3', { seconds, frequency: 300 + 100 * index, tags }), join(folder, `0${index + 1}.mp3`));
    }
    const other = join(root, 'Bob', 'Other');
    mkdirSync(other, { recursive: true });
    copyFileSync(sound('mp3', { seconds: 1, tags: { album: 'Other', artist: 'Bob' } }), join(other, 'a.mp3'));
    const audiobooks = await temporaryAudiobooks({ engines });
    const library = await libraryAt(audiobooks, root);
    await scanLibrary(audiobooks, { library, by });
    const [book] = await audiobooks.store.list(books.by.title, { normalized_title: 'long story' });
    return new World(audiobooks, root, book!.id);
  }

  async scan(): Promise<void> {
    const library = await libraryAt(this.audiobooks, this.root);
    await scanLibrary(this.audiobooks, { library, by });
  }

  async files(): Promise<string[]> {
    const active = await activeSegments(this.audiobooks.store, this.bookId);
    return active.map(({ file_path: path }) => join(this.root, path));
  }

  newName(): string {
    this.#names += 1;
    return `name ${this.#names}`;
  }

  /** Undo may be refused because of a later change; a refusal must change nothing. */
  async undo(): Promise<void> {
    const operation = this.undoable.pop();
    if (operation === undefined) return;
    try {
      await undoOperation(this.audiobooks, { operation: operation.id, by });
    } catch (error) {
      if (!(error instanceof HoldfastError && UNDO_REFUSALS.has(error.code))) throw error;
    }
  }
}

type Action = (world: World) => Promise<void>;

const actions: Readonly<Record<string, Action>> = {
  async 'rename the folder'(world) {
    const [first] = await world.files();
    const folder = dirname(first!);
    renameSync(folder, join(dirname(folder), world.newName()));
    await world.scan();
  },
  async 'rename a file'(world) {
    const [first] = await world.files();
    renameSync(first!, join(dirname(first!), `01 ${world.newName()}.${first!.split('.').at(-1)}`));
    await world.scan();
  },
  async 'copy it to another place and remove the first'(world) {
    const [first] = await world.files();
    const folder = dirname(first!);
    const target = join(world.root, 'Elsewhere', world.newName(), basename(folder));
    cpSync(folder, target, { recursive: true });
    rmSync(folder, { recursive: true });
    await world.scan();
  },
  async 'write other tags'(world) {
    for (const path of await world.files()) {
      const extension = path.split('.').at(-1)!;
      const changed = `${path}.tmp.${extension}`;
      const format = extension === 'm4b' ? ['-f', 'ipod'] : [];
      runFfmpeg([
        '-i',
        path,
        '-map',
        '0:a',
        '-c',
        'copy',
        '-metadata',
        `comment=${world.newName()}`,
        ...format,
        changed,
      ]);
      renameSync(changed, path);
    }
    await world.scan();
  },
  async 'replace a file by a better one'(world) {
    const path = (await world.files()).at(-1)!;
    const extension = path.split('.').at(-1)!;
    const better = `${path}.tmp.${extension}`;
    const format = extension === 'm4b' ? ['-c:a', 'aac', '-f', 'ipod'] : ['-c:a', 'libmp3lame'];
    runFfmpeg(['-i', path, '-map', '0:a', ...format, '-b:a', '48k', better]);
    renameSync(better, path);
    await world.scan();
  },
  'scan again': (world) => world.scan(),
  async organise(world) {
    const library = await libraryAt(world.audiobooks, world.root);
    const template = `{author}/${world.newName()}/{title}`;
    const operation = await organiseBooks(world.audiobooks, { library, template, books: [world.bookId], by });
    if (operation.undoable) world.undoable.push(operation);
  },
  async merge(world) {
    if ((await world.files()).length === 1) return;
    world.undoable.push(await mergeBook(world.audiobooks, { book: world.bookId, by }));
  },
  undo: (world) => world.undo(),
};

/** Each encoding of a file adds at most one frame at the start and one at the end. */
const TOLERANCE_MS = 400;

async function expectKept(world: World, expectedMs: number): Promise<void> {
  const found = await world.audiobooks.store.list(books, {});
  expect(found.filter(({ deleted_at: deleted }) => deleted === null)).toHaveLength(2);
  const book = found.find(({ id }) => id === world.bookId)!;
  expect(book.missing_since).toBeNull();
  for (const path of await world.files()) expect(existsSync(path) && statSync(path).size > 0, path).toBe(true);
  const place = (await progressOf(world.audiobooks, world.bookId))!;
  expect(place.generation).toBe(book.generation);
  expect(Math.abs(place.book_position_ms - expectedMs)).toBeLessThan(TOLERANCE_MS);
  expect((await verify(world.audiobooks, false)).problems).toEqual([]);
}

const RUNS = Number(process.env['HOLDFAST_SURVIVAL_RUNS'] ?? 8);

describe('identity and progress', () => {
  it('survive every single thing that people do', async () => {
    const world = await World.make();
    await listenTo(world.audiobooks, world.bookId, 1, 1.2);
    for (const [name, action] of Object.entries(actions)) {
      await action(world);
      await expectKept(world, SECONDS[0]! * 1_000 + 1_200).catch((error: unknown) => {
        throw new Error(`after ${name}`, { cause: error });
      });
    }
    // A scan of an unmounted disk must fail, and the books on that disk must stay.
    renameSync(world.root, `${world.root}-away`);
    await expect(world.scan()).rejects.toMatchObject({ code: 'LIBRARY_UNAVAILABLE' });
    mkdirSync(world.root);
    await expect(world.scan()).rejects.toMatchObject({ code: 'LIBRARY_UNAVAILABLE' });
    rmSync(world.root, { recursive: true });
    renameSync(`${world.root}-away`, world.root);
    await expectKept(world, SECONDS[0]! * 1_000 + 1_200);
  });

  it('survive any sequence of them', { timeout: 600_000 }, async () => {
    const sequence = fc.array(fc.constantFrom(...Object.keys(actions)), { minLength: 3, maxLength: 7 });
    expect(Object.keys(actions)).toContain('merge');
    await fc.assert(
      fc.asyncProperty(sequence, fc.integer({ min: 0, max: 2 }), async (names, part) => {
        const world = await World.make();
        await listenTo(world.audiobooks, world.bookId, part, 1.5);
        const before = SECONDS.slice(0, part).reduce((sum, seconds) => sum + seconds * 1_000, 1_500);
        for (const name of names) {
          await actions[name]!(world);
          await expectKept(world, before);
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
});
