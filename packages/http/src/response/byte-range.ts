export interface ByteRange {
  readonly start: number;
  /** The last byte, not the one after. */
  readonly end: number;
}

/** One range of a file; undefined when the header asks for none or for several, which are ignored; null when none fits. */
export function byteRange(header: string | null, size: number): ByteRange | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // Backwards is no range at all.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || end < start ? null : { start, end };
}
