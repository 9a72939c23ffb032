import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sound } from '../../test/fixtures.ts';
import { listenTo, progressOf } from '../../test/listening.ts';
import { runProgram } from '../../test/process.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readSound } from '../adapters/read-sound.ts';
import { createScanEngine } from '../scan/engine.ts';
import { books, operations } from '../store/definitions.ts';
import { openOperations } from '../store/operations.ts';
import { activeSegments } from '../store/timelines.ts';
import { type Audiobooks, fileEngines, openAudiobooks } from './audiobooks.ts';
import { libraryAt, libraryById } from './libraries.ts';
import { mergeBook } from './merge/encode-book.ts';
import { recoverInterrupted } from './operations/recover-operations.ts';
import { organiseBooks } from './organise-books.ts';
import { scanLibrary } from './scan-library.ts';
import { tagBook } from './tag-book.ts';
import { verify } from './verify.ts';

/** Kills the application at every step of an operation; the next start must recover without loss. */

const engines = { ...fileEngines, scan: createScanEngine({ settleMs: 0 }) };
const by = 'test';

interface TestLibrary {
  readonly path: string;
  readonly root: string;
}

async function library(
  prepare: (audiobooks: Audiobooks) => Promise<void> = () => Promise.resolve(),
): Promise<TestLibrary> {
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
  await inside(path, async (audiobooks) => {
    await scanLibrary(audiobooks, { library: await libraryAt(audiobooks, root), by });
    await listenTo(audiobooks, (await story(audiobooks)).id, 1, 1.25);
    await prepare(audiobooks);
  });
  return { path, root };
}

async function inside<T>(path: string, body: (audiobooks: Audiobooks) => Promise<T>): Promise<T> {
  const audiobooks = await openAudiobooks({ path, engines });
  try {
    return await body(audiobooks);
  } finally {
    await audiobooks.store.close();
  }
}

const story = async ({ store }: Audiobooks) =>
  (await store.list(books.by.title, { normalized_title: 'long story' }))[0]!;

function soundFiles(root: string): number {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:mp3|m4b)$/u.test(path) && statSync(join(root, path)).isFile(),
  ).length;
}

async function settled({ path, root }: TestLibrary): Promise<Readonly<Record<string, unknown>>> {
  return inside(path, async (audiobooks) => {
    await recoverInterrupted(audiobooks);
    const open = await openOperations(audiobooks.store);
    await scanLibrary(audiobooks, { library: await libraryAt(audiobooks, root), by });
    const book = await story(audiobooks);
    const active = await activeSegments(audiobooks.store, book.id);
    const place = (await progressOf(audiobooks, book.id))!;
    return {
      open,
      books: (await audiobooks.store.list(books, {})).length,
      missingSince: book.missing_since,
      lostFiles: active.filter(({ file_path: file }) => !existsSync(join(root, file))),
      isInPlace: Math.abs(place.book_position_ms - 3_300) < 200 && place.generation === book.generation,
      problems: (await verify(audiobooks, false)).problems,
    };
  });
}

const SETTLED = { open: [], books: 2, missingSince: null, lostFiles: [], isInPlace: true, problems: [] };

async function killAt(place: TestLibrary, action: string, failpoint: string): Promise<void> {
  const { wasKilled, output } = await runProgram('operation-victim', [place.path, place.root, action], failpoint);
  expect(wasKilled, `${action} passes ${failpoint}: ${output}`).toBe(true);
}

async function trackTotals({ root }: TestLibrary): Promise<readonly unknown[]> {
  const read = await Promise.all([1, 2, 3].map((track) => readSound(root, `Long Story/0${track}.mp3`)));
  return read.map((one) => ('file' in one ? one.file.tags.trackTotal : one.problem));
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
    ['audiobooks.operation.inserted:1', 'cancelled'],
    ['audiobooks.tags.copied:1', 'cancelled'],
    ['audiobooks.tags.written:2', 'cancelled'],
    ['audiobooks.moves.planned:1', 'cancelled'],
    ['audiobooks.moves.moved:3', 'cancelled'],
    ['audiobooks.tags.committing:1', 'cancelled'],
    ['audiobooks.tags.committed:1', 'completed'],
    ['audiobooks.moves.cleaning:1', 'completed'],
    ['audiobooks.operation.done:1', 'completed'],
  ])('writing tags, at %s: it is %s, with all files or none', async (step, status) => {
    const place = await library();
    await killAt(place, 'tag', step);
    expect(await settled(place)).toEqual(SETTLED);
    const total = status === 'completed' ? 3 : undefined;
    expect(await trackTotals(place)).toEqual([total, total, total]);
    const done = await inside(place.path, ({ store }) => store.list(operations.by.type, { type: 'tag' }));
    expect(done).toMatchObject([{ status, undoable: status === 'completed' }]);
    expect(existsSync(join(place.root, '.holdfast/work'))).toBe(false);
  });

  it.each([
    ['audiobooks.moves.moved:2', 3],
    ['audiobooks.tags.restoring:1', 3],
    ['audiobooks.tags.restored:1', undefined],
    ['audiobooks.moves.cleaning:1', undefined],
  ])('undoing written tags, at %s', async (step, total) => {
    const place = await library(async (audiobooks) => {
      await tagBook(audiobooks, { book: 'Long Story', by });
    });
    await killAt(place, 'undo', step);
    expect(await settled(place)).toEqual(SETTLED);
    expect(await trackTotals(place)).toEqual([total, total, total]);
  });

  it.each(['audiobooks.moves.moved:1', 'audiobooks.organise.committed:1', 'audiobooks.moves.cleaning:1'])(
    'undoing an organise, at %s',
    async (step) => {
      const place = await library(async (audiobooks) => {
        const [first] = await audiobooks.store.list(books, {}, { limit: 1 });
        const found = await libraryById(audiobooks, first!.library_id!);
        await organiseBooks(audiobooks, { library: found, template: 'Sorted/{author}/{title}', by });
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
    const place = await library(async (audiobooks) => {
      await mergeBook(audiobooks, { book: 'Long Story', by });
    });
    await killAt(place, 'undo', step);
    expect(await settled(place)).toEqual(SETTLED);
  });
});

describe('a library that cannot be written', () => {
  it.each([
    [
      'mount -t tmpfs -o size=1m tmpfs "$0" && cp -r "$1"/. "$0" && (head -c 2m /dev/zero > "$0"/rest 2>/dev/null || true)',
      ['LIBRARY_FULL', 'LIBRARY_FULL'],
    ],
    [
      'mount --bind "$1" "$0" && mount -o remount,bind,ro "$0"',
      ['LIBRARY_READ_ONLY', 'LIBRARY_READ_ONLY', 'LIBRARY_READ_ONLY'],
    ],
  ])('%s: every operation says so, and the files stay', async (mount, codes) => {
    const folder = temporaryFolder();
    const [root, source] = [join(folder, 'library'), join(folder, 'source')];
    mkdirSync(root);
    mkdirSync(join(source, 'Long Story'), { recursive: true });
    for (const track of [1, 2, 3, 4])
      copyFileSync(sound('mp3', { seconds: 4, frequency: 200 * track }), join(source, `Long Story/0${track}.mp3`));
    const prepare = mount.replaceAll('"$0"', `'${root}'`).replaceAll('"$1"', `'${source}'`);
    const words = [join(folder, 'audiobooks.db'), root, 'failures'];
    const { output } = await runProgram('operation-victim', words, '', prepare);
    expect(output.trim().split('\n')).toEqual([...codes, 'done']);
    expect(readdirSync(join(source, 'Long Story'))).toHaveLength(4);
  });
});
