import { type ByteSource, name4, readExactly, u32, u64 } from './source.ts';

/** Reads the sample tables of a track: its duration, and the sample offsets of short tracks. */

const PIECE = 4096;

interface TotalDuration {
  readonly samples: number;
  /** Total duration in track units. */
  readonly units: number;
  /** Duration of a full sample. The last sample is often declared shorter, but plays in full. */
  readonly wholeSample: number;
}

export async function totalDuration(source: ByteSource, stbl: Atom): Promise<TotalDuration> {
  const stts = await find(source, stbl, 'stts');
  let samples = 0;
  let units = 0;
  let wholeSample = 0;
  if (stts === undefined) return { samples, units, wholeSample };
  const end = Math.min(stts.end, source.size);
  const count = u32(await source.read(stts.start, 8), 4);
  const last = Math.min(end, stts.start + 8 + count * 8);
  for (let at = stts.start + 8; at + 8 <= last; at += PIECE * 8) {
    const bytes = await source.read(at, Math.min(PIECE * 8, last - at));
    for (let offset = 0; offset + 8 <= bytes.length; offset += 8) {
      const run = u32(bytes, offset);
      samples += run;
      units += run * u32(bytes, offset + 4);
      wholeSample = Math.max(wholeSample, u32(bytes, offset + 4));
    }
  }
  return { samples, units, wholeSample };
}

interface Sample {
  readonly offset: number;
  readonly size: number;
  /** In track units. */
  readonly time: number;
}

/** Returns the first samples of a short track, up to `max`. */
export async function samplesOf(source: ByteSource, stbl: Atom, max: number): Promise<readonly Sample[]> {
  const times = await sampleTimes(source, stbl, max);
  const sizes = await sampleSizes(source, stbl, max);
  const chunks = await chunkOffsets(source, stbl, max);
  const perChunk = await samplesPerChunk(source, stbl);
  const samples: Sample[] = [];
  for (const [index, chunk] of chunks.entries()) {
    let offset = chunk;
    const wanted = perChunk(index + 1);
    for (let n = 0; n < wanted && samples.length < Math.min(times.length, sizes.length); n++) {
      const size = sizes[samples.length] ?? 0;
      samples.push({ offset, size, time: times[samples.length] ?? 0 });
      offset += size;
    }
  }
  return samples;
}

async function table(source: ByteSource, stbl: Atom, name: string): Promise<Uint8Array> {
  const atom = await find(source, stbl, name);
  return atom === undefined ? new Uint8Array(0) : (await content(source, atom)).slice();
}

async function sampleTimes(source: ByteSource, stbl: Atom, max: number): Promise<readonly number[]> {
  const bytes = await table(source, stbl, 'stts');
  const times: number[] = [];
  let time = 0;
  for (let at = 8; at + 8 <= bytes.length && times.length < max; at += 8) {
    const duration = u32(bytes, at + 4);
    for (let n = Math.min(u32(bytes, at), max - times.length); n > 0; n--) {
      times.push(time);
      time += duration;
    }
  }
  return times;
}

async function sampleSizes(source: ByteSource, stbl: Atom, max: number): Promise<readonly number[]> {
  const bytes = await table(source, stbl, 'stsz');
  const same = u32(bytes, 4);
  const count = Math.min(u32(bytes, 8), max);
  if (same !== 0) return Array.from({ length: count }, () => same);
  return Array.from({ length: Math.min(count, Math.floor((bytes.length - 12) / 4)) }, (_, n) => u32(bytes, 12 + n * 4));
}

async function chunkOffsets(source: ByteSource, stbl: Atom, max: number): Promise<readonly number[]> {
  const short = await table(source, stbl, 'stco');
  const long = short.length === 0 ? await table(source, stbl, 'co64') : new Uint8Array(0);
  const bytes = short.length === 0 ? long : short;
  const width = short.length === 0 ? 8 : 4;
  const count = Math.max(0, Math.min(u32(bytes, 4), max, Math.floor((bytes.length - 8) / width)));
  return Array.from({ length: count }, (_, n) => (width === 4 ? u32(bytes, 8 + n * 4) : u64(bytes, 8 + n * 8)));
}

/**
 * Returns a function that maps a chunk to its number of samples. The table in the file has one entry per run of equal
 * chunks.
 */
async function samplesPerChunk(source: ByteSource, stbl: Atom): Promise<(chunk: number) => number> {
  const bytes = await table(source, stbl, 'stsc');
  let run = 0;
  return (chunk) => {
    while (8 + (run + 2) * 12 <= bytes.length && u32(bytes, 8 + (run + 1) * 12) <= chunk) run += 1;
    return u32(bytes, 8 + run * 12 + 4);
  };
}

/**
 * Returns the duration of a fragmented file in track units. In such a file, the fragments contain the sample durations,
 * and the index does not.
 */
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

export interface Atom {
  readonly name: string;
  /** Start of the content, after the header. */
  readonly start: number;
  /** The declared end, which can exceed the size of a truncated file. */
  readonly end: number;
}

/** Maximum number of boxes on one level: more than any real file has, including long fragmented streams. */
const SIBLINGS_MAX = 200_000;
const CHILDREN_MAX = 4_096;

/** Returns the boxes between `start` and `end`; reads only their headers. */
export async function atomsBetween(
  source: ByteSource,
  start: number,
  end: number,
  max = SIBLINGS_MAX,
): Promise<readonly Atom[]> {
  const atoms: Atom[] = [];
  for (let at = start; at + 8 <= end && atoms.length < max;) {
    const header = await source.read(at, 16);
    if (header.length < 8) break;
    const short = u32(header, 0);
    const headerSize = short === 1 ? 16 : 8;
    const size = short === 1 ? u64(header, 8) : short === 0 ? end - at : short;
    if (size < headerSize || !Number.isSafeInteger(at + size)) break;
    atoms.push({ name: name4(header, 4), start: at + headerSize, end: at + size });
    at += size;
  }
  return atoms;
}

export function childrenOf(source: ByteSource, atom: Atom, skip = 0): Promise<readonly Atom[]> {
  return atomsBetween(source, atom.start + skip, Math.min(atom.end, source.size), CHILDREN_MAX);
}

/** Returns the first box at a path of names: `find(source, trak, 'mdia', 'minf', 'stbl')`. */
export async function find(source: ByteSource, from: Atom, ...names: readonly string[]): Promise<Atom | undefined> {
  let at: Atom | undefined = from;
  for (const name of names) {
    if (at === undefined) return undefined;
    at = (await childrenOf(source, at)).find((child) => child.name === name);
  }
  return at;
}

export function content(source: ByteSource, atom: Atom, max = 1024 * 1024): Promise<Uint8Array> {
  return readExactly(source, atom.start, Math.min(atom.end - atom.start, max));
}
