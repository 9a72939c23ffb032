import { latin1, utf16, utf8 } from './bytes.ts';

export function decodeText(encoding: number, bytes: Uint8Array): string {
  if (encoding === 3) return utf8(bytes);
  if (encoding === 2) return utf16(bytes, false);
  if (encoding !== 1) return latin1(bytes);
  const hasMark =
    bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
  return utf16(hasMark ? bytes.subarray(2) : bytes, !(hasMark && bytes[0] === 0xfe));
}

/** Splits at NUL; each value may have its own byte order mark. */
export function decodeValues(encoding: number, bytes: Uint8Array): readonly string[] {
  return decodeText(encoding, bytes)
    .split('\0')
    .map((value) => value.replace(/^[\uFEFF\uFFFE]/u, '').trim())
    .filter((value) => value !== '');
}

/** Returns the position of the terminating NUL and the start of the next field. */
export function textEnd(
  encoding: number,
  bytes: Uint8Array,
  start: number,
): { readonly end: number; readonly next: number } {
  const isWide = encoding === 1 || encoding === 2;
  if (!isWide) {
    const end = bytes.indexOf(0, start);
    return end < 0 ? { end: bytes.length, next: bytes.length } : { end, next: end + 1 };
  }
  for (let at = start; at + 1 < bytes.length; at += 2) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return { end: at, next: at + 2 };
  }
  return { end: bytes.length, next: bytes.length };
}

/** Unsynchronisation writes 0xFF as 0xFF 0x00, so that players do not mistake it for a frame. */
export function undoUnsynchronisation(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    result[length++] = byte;
    if (byte === 0xff && bytes[index + 1] === 0) index++;
  }
  return result.subarray(0, length);
}
