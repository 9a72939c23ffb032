import { i64le, startsWith, u32le } from './bytes.ts';
import type { ByteSource } from './source.ts';

/** An Ogg page: a header with a table of lengths, then packet segments. */
export interface Page {
  readonly serial: number;
  /** Samples so far, or -1 if no packet ends on this page. */
  readonly granule: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly bodyStart: number;
  readonly end: number;
  /** Segment lengths; 255 means that the packet continues. */
  readonly lacing: Uint8Array;
}

function pageIn(bytes: Uint8Array, at: number, base: number): Page | undefined {
  if (!startsWith(bytes, 'OggS', at) || bytes[at + 4] !== 0) return undefined;
  const segments = bytes[at + 26] ?? 0;
  if (at + 27 + segments > bytes.length) return undefined;
  const lacing = bytes.slice(at + 27, at + 27 + segments);
  const bodyStart = base + at + 27 + segments;
  const flags = bytes[at + 5] ?? 0;
  return {
    serial: u32le(bytes, at + 14),
    granule: i64le(bytes, at + 6),
    isFirst: (flags & 2) !== 0,
    isLast: (flags & 4) !== 0,
    bodyStart,
    end: bodyStart + lacing.reduce((sum, length) => sum + length, 0),
    lacing,
  };
}

export async function pageAt(source: ByteSource, offset: number): Promise<Page | undefined> {
  return pageIn(await source.read(offset, 27 + 255), 0, offset);
}

const TAIL = 192 * 1024;

/** Finds the last page with a sample count in the last chunk of the file. */
export async function lastPage(source: ByteSource): Promise<Page | undefined> {
  const start = Math.max(0, source.size - TAIL);
  const bytes = (await source.read(start, source.size - start)).slice();
  for (let at = bytes.lastIndexOf(0x4f); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(0x4f, at - 1)) {
    const page = pageIn(bytes, at, start);
    if (page !== undefined && page.granule >= 0 && page.end <= source.size) return page;
  }
  return undefined;
}

/** Assembles the first packets of one stream: up to `count`, each up to `max` bytes. */
export async function firstPackets(
  source: ByteSource,
  start: number,
  count: number,
  max: number,
): Promise<readonly Uint8Array[]> {
  const packets: Uint8Array[] = [];
  let pieces: Uint8Array[] = [];
  let length = 0;
  let serial: number | undefined;
  for (let at = start; packets.length < count;) {
    const page = await pageAt(source, at);
    if (page === undefined) break;
    at = page.end;
    serial ??= page.serial;
    if (page.serial !== serial) continue;
    const body = (await source.read(page.bodyStart, page.end - page.bodyStart)).slice();
    let offset = 0;
    for (const size of page.lacing) {
      if (length < max) pieces.push(body.subarray(offset, offset + size));
      offset += size;
      length += size;
      if (size === 255) continue;
      packets.push(Buffer.concat(pieces));
      pieces = [];
      length = 0;
    }
  }
  return packets.slice(0, count);
}
