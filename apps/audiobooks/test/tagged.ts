import { readFileSync } from 'node:fs';

import { sound } from './fixtures.ts';

/** ID3 frames by tag name. */
const FRAMES = {
  title: 'TIT2',
  subtitle: 'TIT3',
  album: 'TALB',
  artist: 'TPE1',
  albumArtist: 'TPE2',
  composer: 'TCOM',
  track: 'TRCK',
  disc: 'TPOS',
  year: 'TYER',
  genre: 'TCON',
} as const;

export type Tags = Partial<Record<keyof typeof FRAMES | 'series' | 'seriesPart' | 'narrator', string>>;

function frame(id: string, content: Buffer): Buffer {
  const header = Buffer.alloc(10);
  header.write(id, 0, 'latin1');
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

function textFrame(name: string, value: string): Buffer {
  const id = (FRAMES as Readonly<Record<string, string>>)[name];
  if (id !== undefined) return frame(id, Buffer.concat([Buffer.from([1]), utf16(value)]));
  const description = name === 'seriesPart' ? 'SERIES-PART' : name.toUpperCase();
  return frame('TXXX', Buffer.concat([Buffer.from([1]), utf16(description), Buffer.from([0, 0]), utf16(value)]));
}

const bare = new Map<number, Buffer>();

/** A short tone without tags. */
function bareMp3(frequency: number): Buffer {
  const known = bare.get(frequency);
  if (known !== undefined) return known;
  const path = sound('mp3', { seconds: 0.4, frequency, extra: ['-id3v2_version', '0', '-write_xing', '0'] });
  const bytes = readFileSync(path);
  bare.set(frequency, bytes);
  return bytes;
}

/** A real mp3 of 0.4 seconds with these tags, made without starting a process. */
export function taggedMp3(tags: Tags = {}, frequency = 440): Buffer {
  const frames = Object.entries(tags).map(([name, value]) => textFrame(name, value));
  if (frames.length === 0) return bareMp3(frequency);
  const body = Buffer.concat(frames);
  const size = body.length;
  const header = Buffer.from([
    0x49,
    0x44,
    0x33,
    3,
    0,
    0,
    (size >> 21) & 0x7f,
    (size >> 14) & 0x7f,
    (size >> 7) & 0x7f,
    size & 0x7f,
  ]);
  return Buffer.concat([header, body, bareMp3(frequency)]);
}
