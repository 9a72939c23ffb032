import type { ChapterMark } from '../model/chapters.ts';
import { u16, u32, u64, utf16, utf8 } from './bytes.ts';
import { LIMITS } from './found.ts';
import { type Atom, content } from './mp4-atoms.ts';
import { samplesOf } from './mp4-tables.ts';
import type { ByteSource } from './source.ts';

/** Reads chapters from a text track (QuickTime, iTunes), which has no limit on their number. */
export async function textChapters(source: ByteSource, stbl: Atom, timescale: number): Promise<readonly ChapterMark[]> {
  const marks: ChapterMark[] = [];
  for (const { offset, size, time } of await samplesOf(source, stbl, LIMITS.chapters)) {
    const bytes = await source.read(offset, Math.min(size, 4096));
    const text = bytes.subarray(2, 2 + u16(bytes, 0));
    marks.push({ title: titleOf(text), startMs: (time * 1000) / timescale });
  }
  return marks;
}

function titleOf(text: Uint8Array): string {
  if (text[0] === 0xfe && text[1] === 0xff) return utf16(text.subarray(2), false);
  if (text[0] === 0xff && text[1] === 0xfe) return utf16(text.subarray(2), true);
  return utf8(text);
}

const NERO_TICKS_PER_MS = 10_000;

/** Reads Nero's chapter list. Its count is one byte, so it ends at 255 chapters. */
export async function neroChapters(source: ByteSource, chpl: Atom): Promise<readonly ChapterMark[]> {
  const bytes = await content(source, chpl);
  const isVersion1 = bytes[0] === 1;
  const count = isVersion1 ? (bytes[8] ?? 0) : u32(bytes, 4) > 255 ? (bytes[4] ?? 0) : u32(bytes, 4);
  const marks: ChapterMark[] = [];
  let at = isVersion1 ? 9 : u32(bytes, 4) > 255 ? 5 : 8;
  for (let n = 0; n < count && at + 9 <= bytes.length; n++) {
    const length = bytes[at + 8] ?? 0;
    marks.push({ title: utf8(bytes, at + 9, at + 9 + length), startMs: u64(bytes, at) / NERO_TICKS_PER_MS });
    at += 9 + length;
  }
  return marks;
}
