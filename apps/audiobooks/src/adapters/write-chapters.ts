import { open } from 'node:fs/promises';
import { box, chapterTitles, indexWithChapters } from '../media/mp4-chapters.ts';
import { type Atom, atomsBetween } from '../media/mp4-tables.ts';
import type { Chapter } from '../model/chapters.ts';
import { openSource } from './file-source.ts';

const HEADER = 8;
const INDEX_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Writes chapters into the MP4 file at `path`, so pass a copy. Appends the titles and a new index, and turns the old
 * index into free space, so that no audio moves.
 */
export async function writeMp4Chapters(path: string, chapters: readonly Chapter[]): Promise<void> {
  const { top, size } = await boxesOf(path);
  const index = top.find(({ name }) => name === 'moov');
  const last = top.at(-1);
  if (index === undefined || last?.end !== size || top.some(({ name }) => name === 'moof')) {
    throw new Error('chapters cannot be written into a fragmented or incomplete file');
  }
  if (index.end - index.start > INDEX_BYTES_MAX) throw new Error('the index of the file is too large');
  const indexAt = top[top.indexOf(index) - 1]?.end ?? 0;
  const handle = await open(path, 'r+');
  try {
    const moov = Buffer.alloc(index.end - index.start);
    await handle.read(moov, 0, moov.length, index.start);
    const end = index === last ? indexAt : size;
    const made = indexWithChapters({ moov, chapters, titlesAt: end + HEADER });
    if (made === undefined) throw new Error('the file has no audio track');
    await handle.truncate(end);
    await handle.write(Buffer.concat([box('mdat', ...chapterTitles(chapters)), made]), 0, undefined, end);
    if (index !== last) await handle.write(Buffer.from('free'), 0, 4, indexAt + 4);
  } finally {
    await handle.close();
  }
}

async function boxesOf(path: string): Promise<{ readonly top: readonly Atom[]; readonly size: number }> {
  const source = await openSource(path);
  try {
    return { top: await atomsBetween(source, 0, source.size), size: source.size };
  } finally {
    await source.close();
  }
}
