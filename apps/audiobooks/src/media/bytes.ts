/** Reads numbers and text from bytes. Bytes beyond the end read as zero; callers check the lengths that matter. */

const at = (bytes: Uint8Array, offset: number): number => bytes[offset] ?? 0;

export const u16 = (bytes: Uint8Array, offset: number): number => at(bytes, offset) * 0x100 + at(bytes, offset + 1);

export const u24 = (bytes: Uint8Array, offset: number): number => u16(bytes, offset) * 0x100 + at(bytes, offset + 2);

export const u32 = (bytes: Uint8Array, offset: number): number =>
  u16(bytes, offset) * 0x1_0000 + u16(bytes, offset + 2);

/** Loses precision above 2^53, which only hostile files reach. */
export const u64 = (bytes: Uint8Array, offset: number): number =>
  u32(bytes, offset) * 0x1_0000_0000 + u32(bytes, offset + 4);

export const u32le = (bytes: Uint8Array, offset: number): number =>
  at(bytes, offset) +
  at(bytes, offset + 1) * 0x100 +
  at(bytes, offset + 2) * 0x1_0000 +
  at(bytes, offset + 3) * 0x100_0000;

/** Granules are signed: -1 means that no packet ends here. */
export const i64le = (bytes: Uint8Array, offset: number): number => {
  const high = u32le(bytes, offset + 4);
  return (high >= 0x8000_0000 ? high - 0x1_0000_0000 : high) * 0x1_0000_0000 + u32le(bytes, offset);
};

/** Four bytes with seven bits each, as in ID3. */
export const syncSafe = (bytes: Uint8Array, offset: number): number =>
  (at(bytes, offset) & 0x7f) * 0x20_0000 +
  (at(bytes, offset + 1) & 0x7f) * 0x4000 +
  (at(bytes, offset + 2) & 0x7f) * 0x80 +
  (at(bytes, offset + 3) & 0x7f);

export function latin1(bytes: Uint8Array, start = 0, end = bytes.length): string {
  // Windows programs write windows-1252 and label it Latin-1.
  return new TextDecoder('windows-1252').decode(bytes.subarray(start, end));
}

export function name4(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(at(bytes, offset), at(bytes, offset + 1), at(bytes, offset + 2), at(bytes, offset + 3));
}

export function utf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  return new TextDecoder().decode(bytes.subarray(start, end));
}

export function utf16(bytes: Uint8Array, isLittleEndian: boolean): string {
  return new TextDecoder(isLittleEndian ? 'utf-16le' : 'utf-16be').decode(bytes);
}

export function startsWith(bytes: Uint8Array, text: string, offset = 0): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[offset + index] !== text.charCodeAt(index)) return false;
  return true;
}
