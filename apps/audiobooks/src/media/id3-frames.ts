import type { ChapterMark } from '../model/chapters.ts';
import { latin1, u32 } from './bytes.ts';
import { type TagEntry } from './found.ts';
import { decodeText, decodeValues, textEnd } from './id3-text.ts';

/** Maps frame ids of ID3 2.2, 2.3 and 2.4 to format-independent names. */
const NAMES: Readonly<Record<string, string>> = {
  TIT1: 'GROUPING',
  TT1: 'GROUPING',
  GRP1: 'GROUPING',
  TIT2: 'TITLE',
  TT2: 'TITLE',
  TIT3: 'SUBTITLE',
  TT3: 'SUBTITLE',
  TALB: 'ALBUM',
  TAL: 'ALBUM',
  TPE1: 'ARTIST',
  TP1: 'ARTIST',
  TPE2: 'ALBUMARTIST',
  TP2: 'ALBUMARTIST',
  TCOM: 'COMPOSER',
  TCM: 'COMPOSER',
  TCON: 'GENRE',
  TCO: 'GENRE',
  TYER: 'DATE',
  TYE: 'DATE',
  TDRC: 'DATE',
  TDRL: 'RELEASEDATE',
  TPUB: 'PUBLISHER',
  TPB: 'PUBLISHER',
  TLAN: 'LANGUAGE',
  TLA: 'LANGUAGE',
  TRCK: 'TRACK',
  TRK: 'TRACK',
  TPOS: 'DISC',
  TPA: 'DISC',
  MVNM: 'SERIES',
  MVIN: 'SERIES-PART',
};

export function frameEntries(id: string, body: Uint8Array): readonly TagEntry[] {
  const encoding = body[0] ?? 0;
  if (id === 'TXXX' || id === 'TXX') {
    const { end, next } = textEnd(encoding, body, 1);
    const name = decodeText(encoding, body.subarray(1, end)).toUpperCase();
    return decodeValues(encoding, body.subarray(next)).map((value) => [name, value] as const);
  }
  if (id === 'COMM' || id === 'COM') {
    const { end, next } = textEnd(encoding, body, 4);
    // iTunes stores internal numbers in comments with a description.
    if (decodeText(encoding, body.subarray(4, end)).startsWith('iTun')) return [];
    return decodeValues(encoding, body.subarray(next)).map((value) => ['COMMENT', value] as const);
  }
  const name = NAMES[id];
  if (name === undefined) return [];
  return decodeValues(encoding, body.subarray(1)).map((value) => [name, value] as const);
}

export function pictureHeader(
  id: string,
  body: Uint8Array,
): { readonly mime: string; readonly isFront: boolean; readonly start: number } | undefined {
  const encoding = body[0] ?? 0;
  if (id === 'PIC') {
    const mime = latin1(body, 1, 4).toLowerCase() === 'png' ? 'image/png' : 'image/jpeg';
    return { mime, isFront: body[4] === 3, start: textEnd(encoding, body, 5).next };
  }
  if (id !== 'APIC') return undefined;
  const { end, next } = textEnd(0, body, 1);
  return {
    mime: latin1(body, 1, end).toLowerCase(),
    isFront: body[next] === 3,
    start: textEnd(encoding, body, next + 1).next,
  };
}

/** A chapter frame: id, times in milliseconds, byte offsets, and subframes including the title. */
export function chapterOf(
  body: Uint8Array,
  frameSize: (bytes: Uint8Array, offset: number) => number,
): ChapterMark | undefined {
  const { next } = textEnd(0, body, 0);
  if (next + 16 > body.length) return undefined;
  let title = '';
  for (let at = next + 16; at + 10 <= body.length;) {
    const size = frameSize(body, at + 4);
    if (latin1(body, at, at + 4) === 'TIT2' && at + 10 + size <= body.length) {
      title = decodeValues(body[at + 10] ?? 0, body.subarray(at + 11, at + 10 + size))[0] ?? '';
    }
    at += 10 + size;
  }
  return { title, startMs: u32(body, next) };
}
