/**
 * Parses a FLAC frame header. Its checksum rules out most false matches; its number gives the position in the stream.
 */

export interface FlacFrame {
  /** First sample after this frame, counted from the start of the stream. */
  readonly endSample: number;
}

export function flacFrameAt(bytes: Uint8Array, at: number, fixedBlockSize: number): FlacFrame | undefined {
  const second = bytes[at + 1] ?? 0;
  if (bytes[at] !== 0xff || (second & 0xfe) !== 0xf8) return undefined;
  const third = bytes[at + 2] ?? 0;
  const sizeCode = third >> 4;
  const rateCode = third & 0x0f;
  if (sizeCode === 0 || rateCode === 15) return undefined;
  const number = codedNumber(bytes, at + 4);
  if (number === undefined) return undefined;
  let next = number.next;
  let blockSize = sizeCode === 1 ? 192 : sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
  if (sizeCode === 6) blockSize = (bytes[next++] ?? 0) + 1;
  if (sizeCode === 7) {
    blockSize = ((bytes[next] ?? 0) << 8) + (bytes[next + 1] ?? 0) + 1;
    next += 2;
  }
  next += rateCode === 12 ? 1 : rateCode > 12 ? 2 : 0;
  if (next >= bytes.length || crc8(bytes, at, next) !== bytes[next]) return undefined;
  const start = (second & 1) === 1 ? number.value : number.value * fixedBlockSize;
  return { endSample: start + blockSize };
}

/** Decodes a number of up to 36 bits in FLAC's extended UTF-8 coding. */
function codedNumber(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } | undefined {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { value: first, next: at + 1 };
  const extra = Math.clz32(~(first << 24)) - 1;
  if (extra < 1 || extra > 6) return undefined;
  let value = first & (0x3f >> extra);
  for (let n = 1; n <= extra; n++) {
    const byte = bytes[at + n] ?? 0;
    if ((byte & 0xc0) !== 0x80) return undefined;
    value = value * 64 + (byte & 0x3f);
  }
  return { value, next: at + 1 + extra };
}

const TABLE = Uint8Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x80) === 0 ? crc << 1 : ((crc << 1) ^ 0x07) & 0xff;
  return crc;
});

function crc8(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = TABLE[crc ^ (bytes[at] ?? 0)] ?? 0;
  return crc;
}
