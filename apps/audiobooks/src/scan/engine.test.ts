import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Limiter } from '@holdfast/base';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { inOneLine, NO_MEMORY, plant, type Scanned, scanTree } from '../../test/tree.ts';
import { readSound } from '../adapters/read-sound.ts';
import type { ScanMemory, ScannedUnit } from '../model/engines.ts';
import type { ScannedFile } from '../model/scanned.ts';
import { createScanEngine, scanUnit, scanUnseen, stateOf } from './engine.ts';

const numbered = (folder: string, count: number): Record<string, null> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [`${folder}/${String(n + 1).padStart(2, '0')}.mp3`, null]),
  );

function memoryOf(...scans: readonly Pick<Scanned, 'units'>[]): ScanMemory {
  const fingerprints = new Map<string, string>();
  const files = new Map<string, ScannedFile>();
  for (const { unit, fingerprint, books } of scans.flatMap(({ units }) => units)) {
    if (fingerprint !== undefined) fingerprints.set(unit, fingerprint);
    for (const file of books.flatMap((book) => book.files)) files.set(`${file.device}:${file.inode}`, file);
  }
  return {
    fingerprint: (unit) => fingerprints.get(unit),
    file: ({ device, inode }) => files.get(`${device}:${inode}`),
  };
}

describe('scanning again', () => {
  it('reads nothing when nothing changed', async () => {
    const root = temporaryFolder();
    plant(root, { ...numbered('A B/One', 3), ...numbered('A B/Two', 2), 'A B/Two/cover.png': 'x' });
    const first = await scanTree(root);
    expect(first.summary).toMatchObject({ units: 2, files: 5, readFiles: 5, books: 2, isCancelled: false });
    const second = await scanTree(root, memoryOf(first));
    expect(second.summary).toMatchObject({ units: 2, unchangedUnits: 2, files: 5, readFiles: 0, books: 0 });
    expect([...second.unchanged].sort()).toEqual(['A B/One', 'A B/Two']);
  });

  it('reads only the file that changed', async () => {
    const root = temporaryFolder();
    plant(root, { ...numbered('A B/One', 3), ...numbered('A B/Two', 2) });
    const first = await scanTree(root);
    plant(root, { 'A B/One/02.mp3': { title: 'Changed' } });
    utimesSync(join(root, 'A B/One/02.mp3'), 1_600_000_000, 1_600_000_000);
    const second = await scanTree(root, memoryOf(first));
    expect(second.summary).toMatchObject({ unchangedUnits: 1, readFiles: 1, books: 1 });
    expect(second.books[0]?.files.map(({ tags }) => tags.title)).toEqual([undefined, 'Changed', undefined]);
  });

  it('notices a new cover, a lost file and a renamed one', async () => {
    const root = temporaryFolder();
    plant(root, numbered('A B/One', 3));
    const first = await scanTree(root);
    plant(root, { 'A B/One/cover.jpg': 'picture' });
    const second = await scanTree(root, memoryOf(first));
    expect(second.books[0]?.cover).toMatchObject({
      kind: 'file',
      path: 'A B/One/cover.jpg',
      mime: 'image/jpeg',
      length: 7,
    });
    rmSync(join(root, 'A B/One/03.mp3'));
    renameSync(join(root, 'A B/One/01.mp3'), join(root, 'A B/One/09.mp3'));
    const third = await scanTree(root, memoryOf(first, second));
    expect(third.summary.readFiles).toBe(0);
    expect(third.books[0]?.files.map(({ path }) => path)).toEqual(['A B/One/02.mp3', 'A B/One/09.mp3']);
  });

  it('knows a moved folder by its files', async () => {
    const root = temporaryFolder();
    plant(root, numbered('A B/One', 3));
    const first = await scanTree(root);
    renameSync(join(root, 'A B/One'), join(root, 'A B/Other'));
    const second = await scanTree(root, memoryOf(first));
    expect(second.summary).toMatchObject({ readFiles: 0, books: 1 });
    const hashes = (scan: Scanned): string[] => scan.books.flatMap(({ files }) => files.map((file) => file.quickHash));
    expect(hashes(second)).toEqual(hashes(first));
  });

  it('gives a file the same hash after its tags were written', async () => {
    const root = temporaryFolder();
    plant(root, {
      'a.mp3': { title: 'Before' },
      'b.mp3': { title: 'After, and much longer', artist: 'Somebody' },
      'c.mp3': null,
    });
    const { books } = await scanTree(root);
    expect(new Set(books.flatMap(({ files }) => files.map((file) => file.quickHash))).size).toBe(1);
  });

  it('looks only where it is told, and above a disc at the whole book', async () => {
    const root = temporaryFolder();
    plant(root, { ...numbered('A B/One/CD 1', 1), ...numbered('A B/One/CD 2', 1), ...numbered('A B/Two', 1) });
    const { books } = await scanTree(root, NO_MEMORY, ['A B/One/CD 2']);
    expect(books.map(inOneLine)).toEqual(['A B: One, 2 files']);
  });
});

describe('a folder that has gone', () => {
  it('has nothing in it, and is no problem', async () => {
    const root = temporaryFolder();
    const { books, summary } = await scanTree(root, NO_MEMORY, ['A B/Gone', 'not/there']);
    expect(books).toEqual([]);
    expect(summary).toMatchObject({ units: 0, problems: 0, isCancelled: false });
  });
});

describe('what a scan does not touch', () => {
  it('follows no link, and names those that lead out', async () => {
    const outside = temporaryFolder();
    plant(outside, numbered('Secret/Book', 1));
    const root = temporaryFolder();
    plant(root, numbered('A B/One', 1));
    symlinkSync(join(outside, 'Secret'), join(root, 'A B/link'));
    symlinkSync(join(outside, 'Secret/Book/01.mp3'), join(root, 'A B/One/02.mp3'));
    symlinkSync(root, join(root, 'A B/loop'));
    const problems: string[] = [];
    const books: string[] = [];
    await createScanEngine({ settleMs: 0 }).scan({
      root,
      memory: NO_MEMORY,
      receiver: {
        unit: (unit) => Promise.resolve(void books.push(...unit.books.map(inOneLine))),
        unchanged: () => undefined,
        problem: ({ kind, path }) => void problems.push(`${kind} ${path}`),
      },
      signal: new AbortController().signal,
    });
    expect(books).toEqual(['A B: One, 1 file']);
    expect(problems.sort()).toEqual(['outside A B/One/02.mp3', 'outside A B/link']);
  });

  it('reports names that are not UTF-8', async () => {
    const root = temporaryFolder();
    plant(root, { ...numbered('A B/One', 1), 'A B/One/\uFFFD.mp3': null });
    const latin1 = (path: string): Buffer => Buffer.from(join(root, path), 'latin1');
    mkdirSync(latin1('A B/Caf\u00e9'));
    copyFileSync(join(root, 'A B/One/01.mp3'), latin1('A B/Caf\u00e9/01.mp3'));
    copyFileSync(join(root, 'A B/One/01.mp3'), latin1('A B/One/\u00e9t\u00e9.mp3'));
    const problems: string[] = [];
    const summary = await createScanEngine({ settleMs: 0 }).scan({
      root,
      memory: NO_MEMORY,
      receiver: {
        unit: ({ books }) => Promise.resolve(expect(books.map(inOneLine)).toEqual(['A B: One, 2 files'])),
        unchanged: () => undefined,
        problem: ({ kind, path }) => void problems.push(`${kind} ${path}`),
      },
      signal: new AbortController().signal,
    });
    expect(summary).toMatchObject({ books: 1, problems: 2 });
    expect(problems.sort()).toEqual([String.raw`name A B/Caf\xe9`, String.raw`name A B/One/\xe9t\xe9.mp3`]);
  });

  it('reports broken files and goes on', async () => {
    const root = temporaryFolder();
    plant(root, {
      ...numbered('A B/One', 3),
      'A B/One/04.mp3': 'this is text',
      'A B/One/05.m4b': '',
      ...numbered('A B/Two', 2),
    });
    const { books, summary, units } = await scanTree(root);
    expect(books.map(inOneLine)).toEqual(['A B: One, 3 files', 'A B: Two, 2 files']);
    expect(summary.problems).toBe(2);
    const problems = units.flatMap((unit) => unit.problems).map(({ kind, path }) => `${kind} ${path}`);
    expect(problems.sort()).toEqual(['incomplete A B/One/05.m4b', 'unreadable A B/One/04.mp3']);
  });

  it('does not open a file that was replaced by a link meanwhile', async () => {
    const root = temporaryFolder();
    plant(root, numbered('A B/One', 1));
    const [path, kept] = ['A B/One/01.mp3', join(root, 'kept')];
    const unit = { unit: 'A B/One', names: ['A B', 'One'], sounds: [{ path }], sidecars: [], siblings: [] };
    const stated = await stateOf(root, unit);
    renameSync(join(root, path), kept);
    symlinkSync(kept, join(root, path));
    expect(await readSound(root, path)).toMatchObject({ problem: { kind: 'forbidden', path } });
    // Permissions can change although the file does not.
    const { signal } = new AbortController();
    const reader = {
      root,
      memory: NO_MEMORY,
      signal,
      limiter: new Limiter(1),
      isYoung: () => false,
      onFile: () => undefined,
    };
    const nothing = { fingerprint: undefined, books: [], problems: [{ path }] };
    expect(await scanUnit(reader, stated)).toMatchObject(nothing);
    expect(await scanUnseen(reader, unit)).toMatchObject({ scanned: nothing, files: 0 });
  });
});

describe('files that are being written', () => {
  it('are read when they are left alone', async () => {
    const root = temporaryFolder();
    plant(root, numbered('A B/One', 2));
    const now = new Date();
    utimesSync(join(root, 'A B/One/02.mp3'), now, now);
    const { books, units } = await scanTree(root);
    expect(books.map(inOneLine)).toEqual(['A B: One, 2 files']);
    expect(units[0]?.fingerprint).toBeDefined();
  });

  it('are left out while they grow, and the folder is looked at again', async () => {
    const root = temporaryFolder();
    plant(root, { ...numbered('A B/One', 2), ...numbered('A B/Two', 1) });
    const growing = join(root, 'A B/One/02.mp3');
    truncateSync(growing, 3_000);
    // The file's modification time is always recent when the scan reaches it.
    const { mtimeMs } = statSync(growing);
    const timer = setInterval(() => appendFileSync(growing, 'more'), 5);
    const units: ScannedUnit[] = [];
    await createScanEngine({ settleMs: 200, now: () => mtimeMs }).scan({
      root,
      memory: NO_MEMORY,
      receiver: { unit: (unit) => Promise.resolve(void units.push(unit)), unchanged: () => undefined },
      signal: new AbortController().signal,
    });
    clearInterval(timer);
    const one = units.find(({ unit }) => unit === 'A B/One');
    expect(one?.fingerprint).toBeUndefined();
    expect(one?.problems).toMatchObject([{ kind: 'changing', path: 'A B/One/02.mp3' }]);
    expect(one?.books.map(inOneLine)).toEqual(['A B: One, 1 file']);
    expect(units.find(({ unit }) => unit === 'A B/Two')?.fingerprint).toBeDefined();
  });
});

describe('a scan that is cancelled', () => {
  it('keeps what it delivered, and the next one goes on from there', async () => {
    const root = temporaryFolder();
    const books = Array.from({ length: 30 }, (_, n) => numbered(`A B/Book ${String.fromCodePoint(65 + n)}`, 1));
    plant(root, Object.assign({}, ...books) as Record<string, null>);
    const delivered: ScannedUnit[] = [];
    const controller = new AbortController();
    const summary = await createScanEngine({ settleMs: 0, concurrency: 1 }).scan({
      root,
      memory: NO_MEMORY,
      receiver: {
        async unit(unit) {
          delivered.push(unit);
          if (delivered.length === 5) controller.abort();
          await Promise.resolve();
        },
        unchanged: () => undefined,
      },
      signal: controller.signal,
    });
    expect(summary.isCancelled).toBe(true);
    expect(delivered.length).toBeGreaterThanOrEqual(5);
    expect(delivered.length).toBeLessThan(12);
    const rest = await scanTree(root, memoryOf({ units: delivered }));
    expect(rest.summary).toMatchObject({ units: 30, unchangedUnits: delivered.length });
    expect(rest.books).toHaveLength(30 - delivered.length);
  });

  it('says how far it is, and never more than there is', async () => {
    const root = temporaryFolder();
    plant(
      root,
      Object.assign({}, ...Array.from({ length: 8 }, (_, n) => numbered(`A B/B${n}`, 5))) as Record<string, null>,
    );
    mkdirSync(join(root, 'empty'));
    writeFileSync(join(root, 'readme.txt'), '');
    const seen: { files: number; total: number; isWalked: boolean }[] = [];
    await createScanEngine({ settleMs: 0, concurrency: 2 }).scan({
      root,
      memory: NO_MEMORY,
      receiver: {
        unit: () => Promise.resolve(),
        unchanged: () => undefined,
        progress: (progress) => void seen.push(progress),
      },
      signal: new AbortController().signal,
    });
    expect(seen.at(-1)).toEqual({ files: 40, total: 40, isWalked: true });
    expect(seen.every(({ files, total }) => files <= total)).toBe(true);
  });
});
