import type { Random } from '../../../packages/sqlite/test/random.ts';

/** Values that break parsers of lengths and counts. */
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];

/** Prefers the start and end of a file, where the tables are. */
function place(random: Random, length: number): number {
  const kind = random.below(4);
  if (kind === 0) return random.below(Math.min(length, 64) || 1);
  if (kind === 1) return random.below(Math.min(length, 4_096) || 1);
  if (kind === 2) return Math.max(0, length - 1 - random.below(Math.min(length, 8_192) || 1));
  return random.below(length || 1);
}

type Mutation = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // Flip single bits.
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let n = 1 + random.below(32); n > 0; n--) {
      const at = place(random, copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    }
    return copy;
  },
  // Overwrite lengths and counts.
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    for (let n = 1 + random.below(6); n > 0; n--) {
      const at = Math.min(place(random, copy.length), Math.max(0, copy.length - 4));
      if (copy.length >= 4) copy.writeUInt32BE(random.of(EXTREMES), at);
    }
    return copy;
  },
  // Truncate.
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  // Remove or repeat a piece, or insert a piece from another file.
  (bytes, random) => {
    const at = place(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(5_000))]);
  },
  (bytes, random) => {
    const at = place(random, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(place(random, at || 1), at), bytes.subarray(at)]);
  },
  (bytes, random, others) => {
    const other = random.of(others);
    const at = place(random, bytes.length);
    const from = place(random, other.length);
    return Buffer.concat([
      bytes.subarray(0, at),
      other.subarray(from, from + random.below(20_000)),
      bytes.subarray(at),
    ]);
  },
  // Fill a range with zeros, as after an incomplete download, or with ones.
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    const at = place(random, copy.length);
    copy.fill(random.of([0, 0xff]), Math.min(at, copy.length), Math.min(copy.length, at + random.below(20_000)));
    return copy;
  },
];

/** Damages a sample; the same random source gives the same file. */
export function mutated(samples: readonly Buffer[], random: Random): Buffer {
  let bytes: Buffer = random.of(samples);
  for (let n = 1 + random.below(3); n > 0; n--) bytes = random.of(MUTATIONS)(bytes, random, samples);
  return bytes;
}
