import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sound } from '../../test/fixtures.ts';
import { listenTo, progressOf } from '../../test/listening.ts';
import { runProgram } from '../../test/process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { engines } from '../engines.ts';
import { createScanEngine } from '../scan/engine.ts';
import { books } from '../store/definitions.ts';
import { openOperations } from '../store/operations.ts';
import { activeSegments } from '../store/segments.ts';
import { type Catalogue, openCatalogue } from './catalogue.ts';
import { libraryAt, libraryById } from './libraries.ts';
import { mergeBook } from './merge/encode-book.ts';
import { recoverOperations } from './operations/recover-operations.ts';
import { organiseBooks } from './organise-books.ts';
import { recoverersFor } from './recoverers.ts';
import { scanLibrary } from './scan-library.ts';
import { verify } from './verify.ts';

/** The whole application is killed at every step of an operation; the next start settles it and nothing is lost. */

const scan = createScanEngine({ settleMs: 0 });
const by = 'test';

interface Place {
  readonly path: string;
  readonly root: string;
}

async function library(prepare: (catalogue: Catalogue) => Promise<void> = () => Promise.resolve()): Promise<Place> {
  const folder = temporaryFolder();
  const [path, root] = [join(folder, 'audiobooks.db'), join(folder, 'library')];
  for (const [name, count] of [
    ['Long Story', 3],
    ['Other', 2],
  ] as const) {
    mkdirSync(join(root, name), { recursive: true });
    for (let track = 1; track <= count; track++) {
      const tags = { album: name, artist: 'Ann Author', track: String(track) };
      copyFileSync(
        sound('mp3', { seconds: 2, frequency: 200 * track + count, tags }),
        join(root, name, `0${track}.mp3`),
      );
    }
  }
  await inside(path, async (catalogue) => {
    await scanLibrary(catalogue, { scan }, { library: await libraryAt(catalogue, root), by });
    await listenTo(catalogue, (await story(catalogue)).id, 1, 1.25);
    await prepare(catalogue);
  });
  return { path, root };
}

async function inside<T>(path: string, body: (catalogue: Catalogue) => Promise<T>): Promise<T> {
  const catalogue = await openCatalogue({ path });
  try {
    return await body(catalogue);
  } finally {
    await catalogue.store.close();
  }
}

const story = async ({ store }: Catalogue) =>
  (await store.list(books.by.title, { normalized_title: 'long story' }))[0]!;

function soundFiles(root: string): number {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:mp3|m4b)$/u.test(path) && statSync(join(root, path)).isFile(),
  ).length;
}

/** What the next start finds and makes of it. */
async function settled({ path, root }: Place): Promise<Readonly<Record<string, unknown>>> {
  return inside(path, async (catalogue) => {
    await recoverOperations(catalogue, recoverersFor(catalogue, engines));
    const open = await openOperations(catalogue.store);
    await scanLibrary(catalogue, { scan }, { library: await libraryAt(catalogue, root), by });
    const book = await story(catalogue);
    const active = await activeSegments(catalogue.store, book.id);
    const place = (await progressOf(catalogue, book.id))!;
    return {
      open,
      books: (await catalogue.store.list(books, {})).length,
      missingSince: book.missing_since,
      lostFiles: active.filter(({ file_path: file }) => !existsSync(join(root, file))),
      isInPlace: Math.abs(place.book_position_ms - 3_300) < 200 && place.generation === book.generation,
      problems: (await verify(catalogue, false)).problems,
    };
  });
}

const SETTLED = { open: [], books: 2, missingSince: null, lostFiles: [], isInPlace: true, problems: [] };

async function killAt(place: Place, action: string, failpoint: string): Promise<void> {
  const { wasKilled, output } = await runProgram('catalogue-victim', [place.path, place.root, action], failpoint);
  expect(wasKilled, `${action} passes ${failpoint}: ${output}`).toBe(true);
}

const OPERATION = ['audiobooks.operation.inserted:1', 'audiobooks.operation.done:1'];

describe('killed in the middle of', () => {
  it.each([...OPERATION, 'audiobooks.scan.applied:1', 'audiobooks.scan.vanished:1'])('a scan, at %s', async (step) => {
    const place = await library();
    renameSync(join(place.root, 'Long Story'), join(place.root, 'Renamed'));
    await killAt(place, 'scan', step);
    expect(await settled(place)).toEqual(SETTLED);
  });

  it.each([
    ...OPERATION,
    'audiobooks.moves.planned:1',
    'audiobooks.moves.moved:2',
    'audiobooks.organise.committing:1',
    'audiobooks.organise.committed:1',
    'audiobooks.organise.committed:2',
    'audiobooks.moves.cleaning:1',
    'sqlite.commit.before:6',
    'sqlite.commit.after:6',
  ])('organising, at %s: it is finished', async (step) => {
    const place = await library();
    await killAt(place, 'organise', step);
    expect(await settled(place)).toEqual(SETTLED);
    expect(soundFiles(join(place.root, 'Sorted'))).toBe(5);
  });

  it.each([
    ...OPERATION,
    'audiobooks.merge.joined:1',
    'audiobooks.merge.verified:1',
    'audiobooks.moves.moved:1',
    'audiobooks.merge.switching:1',
    'audiobooks.merge.switched:1',
    'audiobooks.moves.cleaning:1',
  ])('merging, at %s', async (step) => {
    const place = await library();
    await killAt(place, 'merge', step);
    expect(await settled(place)).toEqual(SETTLED);
  });

  it.each([
    'audiobooks.tags.copied:1',
    'audiobooks.tags.written:2',
    'audiobooks.tags.synced:1',
    'audiobooks.tags.renamed:2',
  ])('writing tags, at %s', async (step) => {
    const place = await library();
    await killAt(place, 'tag', step);
    expect(await settled(place)).toEqual(SETTLED);
  });

  it.each(['audiobooks.moves.moved:1', 'audiobooks.organise.committed:1', 'audiobooks.moves.cleaning:1'])(
    'undoing an organise, at %s',
    async (step) => {
      const place = await library(async (catalogue) => {
        const [first] = await catalogue.store.list(books, {}, { limit: 1 });
        const found = await libraryById(catalogue, first!.library_id!);
        await organiseBooks(catalogue, engines, { library: found, template: 'Sorted/{author}/{title}', by });
      });
      await killAt(place, 'undo', step);
      expect(await settled(place)).toEqual(SETTLED);
      expect(soundFiles(join(place.root, 'Long Story'))).toBe(3);
    },
  );

  it.each([
    'audiobooks.moves.moved:1',
    'audiobooks.merge.switching-back:1',
    'audiobooks.merge.switched-back:1',
    'audiobooks.moves.cleaning:1',
  ])('undoing a merge, at %s', async (step) => {
    const place = await library(async (catalogue) => {
      await mergeBook(catalogue, engines, { book: 'Long Story', by });
    });
    await killAt(place, 'undo', step);
    expect(await settled(place)).toEqual(SETTLED);
  });
});
