import type { Chapter } from '../model/chapters.ts';

interface Frame {
  readonly name: 'CHAP' | 'CTOC';
  readonly content: Uint8Array;
}

/** Value for the byte offsets of a chapter, which this code does not use. */
const UNUSED = 0xff_ff_ff_ff;
const TOP_LEVEL_ORDERED = 0b11;
/** A table of contents counts its entries in one byte. */
const LISTED_MAX = 255;

const id = (index: number): Buffer => Buffer.from(`chp${index}\0`);

/** Returns the ID3 frames for chapters: one per chapter and a table of contents. */
export function id3Chapters(chapters: readonly Chapter[], version: number): readonly Frame[] {
  const frames: Frame[] = chapters.map(({ title, startMs, endMs }, index) => ({
    name: 'CHAP',
    content: Buffer.concat([id(index), ...[startMs, endMs, UNUSED, UNUSED].map(number32), titleFrame(title, version)]),
  }));
  if (chapters.length > LISTED_MAX) return frames;
  const head = Buffer.concat([Buffer.from('toc\0'), Buffer.from([TOP_LEVEL_ORDERED, chapters.length])]);
  return [...frames, { name: 'CTOC', content: Buffer.concat([head, ...chapters.map((_, index) => id(index))]) }];
}

/** ID3v2.4 uses UTF-8, and sizes with seven bits per byte. ID3v2.3 uses UTF-16 and plain sizes. */
function titleFrame(title: string, version: number): Buffer {
  const isNew = version >= 4;
  const text = isNew
    ? Buffer.concat([Buffer.from([3]), Buffer.from(title)])
    : Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(title, 'utf16le')]);
  const size = text.length;
  const coded = isNew
    ? ((size & 0xf_e0_00_00) << 3) | ((size & 0x1f_c0_00) << 2) | ((size & 0x3f_80) << 1) | (size & 0x7f)
    : size;
  return Buffer.concat([Buffer.from('TIT2'), number32(coded), Buffer.alloc(2), text]);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
