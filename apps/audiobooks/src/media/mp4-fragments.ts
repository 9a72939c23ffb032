import { u32 } from './bytes.ts';
import { type Atom, childrenOf, find } from './mp4-atoms.ts';
import type { ByteSource } from './source.ts';

/** Fragmented files store sample durations in their fragments, not in the index. */

/** In track units. */
export async function fragmentDuration(
  source: ByteSource,
  moov: Atom,
  fragments: readonly Atom[],
  trackId: number,
): Promise<number> {
  const usual = await defaultDuration(source, moov, trackId);
  let units = 0;
  for (const moof of fragments) {
    for (const traf of await childrenOf(source, moof)) {
      if (traf.name === 'traf') units += await trackFragment(source, traf, trackId, usual);
    }
  }
  return units;
}

async function defaultDuration(source: ByteSource, moov: Atom, trackId: number): Promise<number> {
  const mvex = await find(source, moov, 'mvex');
  if (mvex === undefined) return 0;
  for (const trex of await childrenOf(source, mvex)) {
    if (trex.name !== 'trex') continue;
    const bytes = await source.read(trex.start, 24);
    if (u32(bytes, 4) === trackId) return u32(bytes, 12);
  }
  return 0;
}

async function trackFragment(source: ByteSource, traf: Atom, trackId: number, usual: number): Promise<number> {
  let duration = usual;
  let units = 0;
  for (const child of await childrenOf(source, traf)) {
    if (child.name === 'tfhd') {
      const bytes = await source.read(child.start, 32);
      if (u32(bytes, 4) !== trackId) return 0;
      const flags = u32(bytes, 0);
      const before = ((flags & 1) === 0 ? 0 : 8) + ((flags & 2) === 0 ? 0 : 4);
      if ((flags & 8) !== 0) duration = u32(bytes, 8 + before);
    }
    if (child.name === 'trun') units += await runDuration(source, child, duration);
  }
  return units;
}

async function runDuration(source: ByteSource, trun: Atom, usual: number): Promise<number> {
  const head = await source.read(trun.start, 8);
  const flags = u32(head, 0);
  const count = u32(head, 4);
  const width = [0x100, 0x200, 0x400, 0x800].reduce((sum, flag) => sum + ((flags & flag) === 0 ? 0 : 4), 0);
  if ((flags & 0x100) === 0) return count * usual;
  const first = trun.start + 8 + ((flags & 1) === 0 ? 0 : 4) + ((flags & 4) === 0 ? 0 : 4);
  const last = Math.min(trun.end, source.size, first + count * width);
  let units = 0;
  for (let at = first; at + width <= last; at += width * 2048) {
    const bytes = await source.read(at, Math.min(width * 2048, last - at));
    for (let offset = 0; offset + width <= bytes.length; offset += width) units += u32(bytes, offset);
  }
  return units;
}
