import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { ScannedBook } from '../src/model/scanned.ts';
import { createScanEngine } from '../src/scan/engine.ts';
import type { ScanMemory, ScannedUnit, ScanSummary } from '../src/model/engines.ts';
import { sound } from './fixtures.ts';
import { type Tags, taggedMp3 } from './tagged.ts';

/** A file tree: `null` for audio without tags, tags for an mp3, text for any other file. */
export type Tree = Readonly<Record<string, Tags | string | null>>;

/** Old enough that the scan doesn't wait for the file to settle. */
const LONG_AGO = new Date('2020-01-01T00:00:00Z');

export function plant(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, contentOf(path, content));
    utimesSync(target, LONG_AGO, LONG_AGO);
  }
}

function contentOf(path: string, content: Tags | string | null): Buffer | string {
  const extension = path.slice(path.lastIndexOf('.') + 1);
  if (typeof content === 'string') return content;
  if (extension === 'mp3') return taggedMp3(content ?? {});
  const tags = Object.fromEntries(
    Object.entries(content ?? {}).map(([name, value]) => [name === 'albumArtist' ? 'album_artist' : name, value]),
  );
  // Only m4b books have chapters.
  return readFileSync(sound(extension, { seconds: 0.4, tags, chapters: extension === 'm4b' ? 4 : 0 }));
}

export const NO_MEMORY: ScanMemory = { fingerprint: () => undefined, file: () => undefined };

export interface Scanned {
  readonly books: readonly ScannedBook[];
  readonly units: readonly ScannedUnit[];
  readonly unchanged: readonly string[];
  readonly summary: ScanSummary;
}

export async function scanTree(
  root: string,
  memory: ScanMemory = NO_MEMORY,
  folders?: readonly string[],
): Promise<Scanned> {
  const units: ScannedUnit[] = [];
  const unchanged: string[] = [];
  const summary = await createScanEngine({ settleMs: 50 }).scan({
    root,
    memory,
    ...(folders === undefined ? {} : { folders }),
    receiver: {
      unit: (unit) => Promise.resolve(void units.push(unit)),
      unchanged: (unit) => void unchanged.push(unit),
    },
    signal: new AbortController().signal,
  });
  const books = units.flatMap((unit) => unit.books);
  return { books: books.toSorted((left, right) => (left.title < right.title ? -1 : 1)), units, unchanged, summary };
}

/** Formats a book as one line: `Frank Herbert: Dune Chronicles #1: Dune (1965), read by Scott Brick, 2 files`. */
export function inOneLine(book: ScannedBook): string {
  const series = book.series.map(({ name, sequence }) => (sequence === undefined ? name : `${name} #${sequence}`));
  const subtitle = book.subtitle === undefined ? '' : ` – ${book.subtitle}`;
  return [
    `${book.authors.join(' + ') || 'nobody'}: `,
    series.length === 0 ? '' : `${series.join(' + ')}: `,
    `${book.title}${subtitle}`,
    book.year === undefined ? '' : ` (${book.year})`,
    book.narrators.length === 0 ? '' : `, read by ${book.narrators.join(' + ')}`,
    `, ${book.files.length} ${book.files.length === 1 ? 'file' : 'files'}`,
  ].join('');
}
