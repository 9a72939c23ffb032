/** Writes a short audio file as FLAC without compression, so that the demo needs no encoder and no binary in the package. */

const RATE = 8_000;
const BLOCK = 1_000;
const MIN_NOTE_HZ = 220;
/** Semitones above the lowest note. */
const MELODY = [0, 4, 7, 12, 7, 4, 0, 5, 9, 12, 9, 5, 0, 4, 7, 12] as const;
const NOTE_SECONDS = 1;

export function demoBook(tags: Readonly<Record<string, string>>): Buffer {
  const samples = melody();
  const frames = Array.from({ length: samples.length / BLOCK }, (_, at) =>
    frame(at, samples.subarray(at * BLOCK, (at + 1) * BLOCK)),
  );
  return Buffer.concat([Buffer.from('fLaC'), streamInfo(samples.length), comments(tags), ...frames]);
}

function melody(): Int16Array {
  const perNote = RATE * NOTE_SECONDS;
  return Int16Array.from({ length: MELODY.length * perNote }, (_, at) => {
    const hertz = MIN_NOTE_HZ * 2 ** ((MELODY[Math.floor(at / perNote)] ?? 0) / 12);
    const seconds = (at % perNote) / RATE;
    return Math.round(8_000 * Math.sin(2 * Math.PI * hertz * seconds) * Math.exp(-3 * seconds));
  });
}

function streamInfo(samples: number): Buffer {
  const block = Buffer.alloc(38);
  block.writeUInt32BE(34, 0);
  block.writeUInt16BE(BLOCK, 4);
  block.writeUInt16BE(BLOCK, 6);
  // 20 bits for the rate, 3 for channels - 1, 5 for bits per sample - 1, 36 for the number of samples; the rest, a
  // checksum, may be zero.
  block.writeBigUInt64BE((BigInt(RATE) << 44n) | (15n << 36n) | BigInt(samples), 14);
  return block;
}

function comments(tags: Readonly<Record<string, string>>): Buffer {
  const texts = ['Holdfast', ...Object.entries(tags).map(([name, value]) => `${name}=${value}`)].map(counted);
  const count = Buffer.alloc(4);
  count.writeUInt32LE(texts.length - 1);
  const body = Buffer.concat([texts[0] ?? count, count, ...texts.slice(1)]);
  const head = Buffer.alloc(4);
  // 0x84: the last metadata block, with the type "comments".
  head.writeUInt32BE(0x84_00_00_00 + body.length);
  return Buffer.concat([head, body]);
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function frame(number: number, samples: Int16Array): Buffer {
  // Sync code, block size in 16 bits, rate and sample size from the stream information, one channel, frame number.
  const head = Buffer.from([0xff, 0xf8, 0x70, 0x00, number, (BLOCK - 1) >> 8, (BLOCK - 1) & 0xff]);
  const body = Buffer.alloc(1 + samples.length * 2);
  body[0] = 0x02;
  for (const [at, sample] of samples.entries()) body.writeInt16BE(sample, 1 + at * 2);
  const unchecked = Buffer.concat([head, Buffer.from([checksum(head, 8, 0x07)]), body]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16BE(checksum(unchecked, 16, 0x80_05));
  return Buffer.concat([unchecked, sum]);
}

function checksum(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  const mask = (1 << width) - 1;
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) sum = (sum & top) === 0 ? (sum << 1) & mask : ((sum << 1) ^ polynomial) & mask;
  }
  return sum;
}
