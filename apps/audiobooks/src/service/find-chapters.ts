import { Limiter } from '@holdfast/base';
import { findSilences } from '../adapters/find-silences.ts';
import type { Book } from '../model/book.ts';
import type { ChapterMark } from '../model/chapters.ts';
import { audiobookErrors } from '../model/errors.ts';
import { readCue } from '../model/sidecar.ts';
import { activeSegments } from '../store/timelines.ts';
import type { Audiobooks } from './audiobooks.ts';
import { libraryById } from './libraries.ts';

interface SilenceOptions {
  readonly lengthMs: number;
  readonly noiseDb: number;
}

/** A possible start of a chapter: the end of a silence, or the start of a file. */
export interface SilentPlace {
  readonly start_ms: number;
  readonly silence_ms: number;
}

const PLACES_MAX = 2_000;
/** Decodes one file at a time, because decoding uses a whole CPU core. */
const decoding = new Limiter(1);
/** A chapter starts a little before its first word. */
const LEAD_MS = 500;

/** Returns the silences in the files of a book, and the start of each file except the first. */
export async function findSilentPlaces(
  audiobooks: Audiobooks,
  book: Book,
  { lengthMs, noiseDb }: SilenceOptions,
  signal: AbortSignal = audiobooks.closing,
): Promise<readonly SilentPlace[]> {
  if (book.library_id === null) throw audiobookErrors.BOOK_WITHOUT_FILES(`${book.title} has no files.`);
  const { root } = await libraryById(audiobooks, book.library_id);
  const places: SilentPlace[] = [];
  let offsetMs = 0;
  for (const { file_path: path, duration_ms: durationMs } of await activeSegments(audiobooks.store, book.id)) {
    if (offsetMs > 0) places.push({ start_ms: offsetMs, silence_ms: 0 });
    const silences = await decoding.run(() => findSilences({ root, path, lengthMs, noiseDb, signal }));
    for (const { startMs, endMs } of silences) {
      const at = Math.max(startMs, endMs - LEAD_MS);
      // Skips silences at the start and at the end of a file, because the start of each file already counts.
      if (startMs > 0 && endMs < durationMs) places.push({ start_ms: offsetMs + at, silence_ms: endMs - startMs });
    }
    offsetMs += durationMs;
  }
  return places.slice(0, PLACES_MAX);
}

/** Reads the chapters of a cue sheet. Converts times within a file to times in the whole book. */
export async function chaptersOfCue({ store }: Audiobooks, book: Book, text: string): Promise<readonly ChapterMark[]> {
  const segments = await activeSegments(store, book.id);
  const { files } = readCue(text);
  if (files.length !== 1 && files.length !== segments.length) {
    throw audiobookErrors.CHAPTERS_INVALID(
      `The cue sheet is for ${files.length} files, but the book has ${segments.length}.`,
    );
  }
  let offsetMs = 0;
  const marks: ChapterMark[] = [];
  for (const [index, { marks: own }] of files.entries()) {
    for (const { title, startMs } of own) marks.push({ title, startMs: offsetMs + startMs });
    offsetMs += segments[index]?.duration_ms ?? 0;
  }
  const inside = marks.filter(({ startMs }) => startMs < book.duration_ms);
  if (inside.length === 0) throw audiobookErrors.CHAPTERS_INVALID('The cue sheet has no tracks.');
  // In many sheets, the first chapter starts at the first word instead of at the start of the file.
  return inside.map((mark, index) => (index === 0 ? { ...mark, startMs: 0 } : mark));
}
