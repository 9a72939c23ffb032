import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAddress } from '@holdfast/postgres/test-server';
import { afterEach } from 'vitest';
import type { ScannedBook, ScannedFile } from '../src/model/scanned.ts';
import { ScanSession } from '../src/service/scan-library.ts';
import { type Audiobooks, type AudiobooksOptions, openAudiobooks } from '../src/service/audiobooks.ts';
import { libraryAt } from '../src/service/libraries.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-audiobooks-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function temporaryAudiobooks(options: Partial<AudiobooksOptions> = {}): Promise<Audiobooks> {
  const path = options.path ?? join(temporaryFolder(), 'audiobooks.db');
  const audiobooks = await openAudiobooks({ ...options, path, address: await testAddress(path) });
  cleanups.push(() => audiobooks.close({ processIsEnding: true }));
  return audiobooks;
}

/** A file as a scan reports it. `number` determines its inode, size, duration and audio hash. */
export function scannedFile(path: string, number: number, changes: Partial<ScannedFile> = {}): ScannedFile {
  return {
    path,
    device: '1',
    inode: String(1_000 + number),
    size: 10_000 + number,
    mtimeNs: '1700000000000000000',
    quickHash: `hash${number}`,
    format: 'mp3',
    codec: 'mp3',
    stream: { codec: 'mp3', sampleRate: 44_100, channels: 2, profile: '' },
    durationMs: 60_000 + number,
    chapters: [],
    tags: { artists: [], albumArtists: [], composers: [], narrators: [], genres: [] },
    ...changes,
  };
}

export function scannedBook(
  folder: string,
  files: readonly ScannedFile[],
  changes: Partial<ScannedBook> = {},
): ScannedBook {
  return {
    folder,
    files,
    title: folder.split('/').at(-1) ?? folder,
    authors: ['Ann Author'],
    narrators: ['Rita Reader'],
    series: [],
    genres: [],
    durationMs: files.reduce((sum, file) => sum + file.durationMs, 0),
    chapters: [],
    provenance: { title: 'folder', authors: 'tag' },
    ...changes,
  };
}

/** Simulated disks: the paths in each library root after its last scan. */
const disks = new WeakMap<Audiobooks, Map<string, ReadonlySet<string>>>();

/** Simulates a disk that is removed between two scans: all files of a library become unreachable. */
export function unplug(audiobooks: Audiobooks, root: string): void {
  disks.get(audiobooks)?.delete(root);
}

/** Simulates a complete scan that finds exactly these books. Books with the same `folder` form one unit. */
export async function scanFinds(
  audiobooks: Audiobooks,
  books: readonly ScannedBook[],
  root = '/library',
  unreadable: readonly string[] = [],
) {
  const library = await libraryAt(audiobooks, root);
  const disk = disks.get(audiobooks) ?? new Map<string, ReadonlySet<string>>();
  disks.set(audiobooks, disk.set(root, new Set(books.flatMap((book) => book.files.map((file) => file.path)))));
  const session = new ScanSession(audiobooks, {
    libraryId: library.id,
    operationId: null,
    by: 'test',
    exists: (place, path) => disk.get(place)?.has(path) === true,
  });
  for (const path of unreadable) await session.receiver.problem({ kind: 'forbidden', path, message: 'EACCES' });
  const folders = new Map<string, ScannedBook[]>();
  for (const book of books) folders.set(book.folder, [...(folders.get(book.folder) ?? []), book]);
  for (const [unit, found] of folders) {
    const fingerprint = JSON.stringify(found);
    if ((await session.memory.fingerprint(unit)) === fingerprint) await session.receiver.unchanged(unit);
    else await session.receiver.unit({ unit, fingerprint, books: found, problems: [] });
  }
  return session.finish();
}
