import { u32, u64 } from './bytes.ts';
import { type Atom, content, find } from './mp4-atoms.ts';
import type { ByteSource } from './source.ts';

/** Reads the sample tables of a track: its duration, and the sample offsets of short tracks. */

const PIECE = 4096;

export interface TotalDuration {
  readonly samples: number;
  /** Total duration in track units. */
  readonly units: number;
  /** Duration of a full sample: the last one is often declared shorter but plays in full. */
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

export interface Sample {
  readonly offset: number;
  readonly size: number;
  /** In track units. */
  readonly time: number;
}

/** Returns up to `max` samples of a short track. */
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

/** Returns a lookup of samples per chunk. The table stores runs, each valid from its first chunk. */
async function samplesPerChunk(source: ByteSource, stbl: Atom): Promise<(chunk: number) => number> {
  const bytes = await table(source, stbl, 'stsc');
  let run = 0;
  return (chunk) => {
    while (8 + (run + 2) * 12 <= bytes.length && u32(bytes, 8 + (run + 1) * 12) <= chunk) run += 1;
    return u32(bytes, 8 + run * 12 + 4);
  };
}
