import type { ChapterMark } from '../model/chapters.ts';
import type { StreamFormat } from '../model/scanned.ts';
import {
  type Atom,
  atomsBetween,
  childrenOf,
  content,
  find,
  fragmentDuration,
  samplesOf,
  totalDuration,
} from './mp4-tables.ts';
import { type ByteSource, MediaError, name4, u16, u32, u64, utf16, utf8, windowed } from './source.ts';
import { type Found, LIMITS, type Picture, type TagEntry } from './tags.ts';

export async function readMp4(file: ByteSource): Promise<Found> {
  const source = windowed(file);
  const top = await atomsBetween(source, 0, source.size);
  const moov = top.find(({ name }) => name === 'moov');
  const mdat = top.find(({ name }) => name === 'mdat');
  if (moov === undefined) {
    // Most programs write the index last, so a file without an index is truncated.
    throw new MediaError(mdat === undefined ? 'unreadable' : 'incomplete', 'the index (moov) is missing');
  }
  const tracks = await tracksOf(source, moov);
  const sound = tracks.find(({ handler }) => handler === 'soun');
  if (sound === undefined) throw new MediaError('unreadable', 'no audio found');
  const fragments = top.filter(({ name }) => name === 'moof');
  const { units } = await totalDuration(source, sound.stbl);
  const fragmented = fragments.length === 0 ? 0 : await fragmentDuration(source, moov, fragments, sound.id);
  const wholeMs = ((units + fragmented) * 1000) / sound.timescale;
  if (!(wholeMs > 0) || !Number.isSafeInteger(Math.round(wholeMs))) {
    throw new MediaError('unreadable', 'the audio has no duration');
  }
  const present = presentShare(top, source.size);
  const { entries, pictures } = await tagsOf(source, moov);
  return {
    stream: sound.stream,
    durationMs: Math.round(wholeMs * present),
    chapters: await chaptersOf(source, moov, sound, tracks),
    entries,
    pictures,
    sound: { offset: mdat?.start ?? 0, length: mdat === undefined ? 0 : Math.min(mdat.end, source.size) - mdat.start },
    isIncomplete: present < 1,
  };
}

/**
 * Returns how many milliseconds the file lasts when every packet plays in full, as in a joined file. The duration that
 * the file declares is often shorter; with it, the next part of a joined file would seem to start too early.
 */
export async function wholePacketsMs(file: ByteSource): Promise<number | undefined> {
  const source = windowed(file);
  const moov = (await atomsBetween(source, 0, source.size)).find(({ name }) => name === 'moov');
  if (moov === undefined) return undefined;
  const sound = (await tracksOf(source, moov)).find(({ handler }) => handler === 'soun');
  if (sound === undefined) return undefined;
  const { samples, wholeSample } = await totalDuration(source, sound.stbl);
  return (samples * wholeSample * 1000) / sound.timescale;
}

/** Returns the fraction of the audio data that a truncated file still contains. */
function presentShare(top: readonly Atom[], size: number): number {
  let announced = 0;
  let present = 0;
  for (const { name, start, end } of top) {
    if (name !== 'mdat') continue;
    announced += end - start;
    present += Math.max(0, Math.min(end, size) - start);
  }
  return announced === 0 ? 1 : present / announced;
}

interface Track {
  readonly id: number;
  readonly handler: string;
  readonly timescale: number;
  readonly stbl: Atom;
  readonly stream: StreamFormat;
  readonly chapterTracks: readonly number[];
}

async function tracksOf(source: ByteSource, moov: Atom): Promise<readonly Track[]> {
  const tracks: Track[] = [];
  for (const trak of await childrenOf(source, moov)) {
    if (trak.name !== 'trak' || tracks.length >= 64) continue;
    const track = await trackOf(source, trak);
    if (track !== undefined) tracks.push(track);
  }
  return tracks;
}

async function trackOf(source: ByteSource, trak: Atom): Promise<Track | undefined> {
  const [tkhd, mdia] = [await find(source, trak, 'tkhd'), await find(source, trak, 'mdia')];
  if (tkhd === undefined || mdia === undefined) return undefined;
  const [mdhd, hdlr] = [await find(source, mdia, 'mdhd'), await find(source, mdia, 'hdlr')];
  const stbl = await find(source, mdia, 'minf', 'stbl');
  const stsd = stbl === undefined ? undefined : await find(source, stbl, 'stsd');
  if (mdhd === undefined || hdlr === undefined || stbl === undefined || stsd === undefined) return undefined;
  const header = (await source.read(tkhd.start, 24)).slice();
  const media = (await source.read(mdhd.start, 32)).slice();
  const timescale = u32(media, media[0] === 1 ? 20 : 12);
  if (timescale === 0) return undefined;
  const chap = await find(source, trak, 'tref', 'chap');
  const references = chap === undefined ? new Uint8Array(0) : await content(source, chap, 64);
  return {
    id: u32(header, header[0] === 1 ? 20 : 12),
    handler: name4(await source.read(hdlr.start, 12), 8),
    timescale,
    stbl,
    stream: streamOf(await content(source, stsd, 4096)),
    chapterTracks: Array.from({ length: Math.floor(references.length / 4) }, (_, n) => u32(references, n * 4)),
  };
}

/** Reads chapters from the text track if there is one, because Nero's list holds at most 255 chapters. */
async function chaptersOf(
  source: ByteSource,
  moov: Atom,
  sound: Track,
  tracks: readonly Track[],
): Promise<readonly ChapterMark[]> {
  const isText = ({ handler }: Track): boolean => handler === 'text' || handler === 'sbtl';
  const track = tracks.find((one) => isText(one) && sound.chapterTracks.includes(one.id));
  const marks = track === undefined ? [] : await textChapters(source, track.stbl, track.timescale);
  const chpl = await find(source, moov, 'udta', 'chpl');
  const listed = chpl === undefined ? [] : await neroChapters(source, chpl);
  return marks.length >= listed.length ? marks : listed;
}

async function tagsOf(source: ByteSource, moov: Atom): Promise<Mp4Tags> {
  const meta = (await find(source, moov, 'udta', 'meta')) ?? (await find(source, moov, 'meta'));
  if (meta === undefined) return { entries: [], pictures: [] };
  // This box starts with a four-byte version in MP4 files, but not in QuickTime files.
  for (const skip of [4, 0]) {
    const children = await childrenOf(source, meta, skip);
    const [ilst, keys] = ['ilst', 'keys'].map((wanted) => children.find(({ name }) => name === wanted));
    if (ilst !== undefined) return readIlst(source, ilst, keys === undefined ? [] : await keyNames(source, keys));
  }
  return { entries: [], pictures: [] };
}

function streamOf(stsd: Uint8Array): StreamFormat {
  const code = name4(stsd, 12);
  const channels = u16(stsd, 32);
  const sampleRate = u16(stsd, 40);
  if (code === 'mp4a') return aacStream(stsd, channels, sampleRate);
  if (['enca', 'drms', 'aavd', 'adrm'].includes(code))
    return { codec: 'encrypted', sampleRate, channels, profile: code };
  const codec = { alac: 'alac', 'ac-3': 'ac3', 'ec-3': 'eac3', fLaC: 'flac', Opus: 'opus', '.mp3': 'mp3' }[code];
  return { codec: codec ?? code.trim(), sampleRate, channels, profile: '' };
}

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350];

/** Prefers the decoder configuration: the fields around it are wrong for HE-AAC, mono and 96 kHz. */
function aacStream(stsd: Uint8Array, channels: number, sampleRate: number): StreamFormat {
  const esds = indexOfName(stsd, 'esds');
  const plain = { codec: 'aac', sampleRate, channels, profile: '' };
  if (esds < 0) return plain;
  let at = esds + 8;
  const descriptor = (tag: number): boolean => {
    if (stsd[at] !== tag) return false;
    at += 1;
    for (let n = 0; n < 4 && ((stsd[at] ?? 0) & 0x80) !== 0; n++) at += 1;
    at += 1;
    return true;
  };
  if (!descriptor(3)) return plain;
  at += 3;
  if (!descriptor(4)) return plain;
  const objectType = stsd[at] ?? 0;
  if (objectType === 0x69 || objectType === 0x6b) return { ...plain, codec: 'mp3' };
  at += 13;
  if (!descriptor(5)) return plain;
  return { ...plain, ...specificConfig(u32(stsd, at)), codec: 'aac' };
}

/** Reads profile (5 bits), rate (4) and channels (4). For the rare longer forms, returns only the profile. */
function specificConfig(bits: number): Partial<StreamFormat> {
  const profile = Math.floor(bits / 2 ** 27) & 0x1f;
  const sampleRate = RATES[Math.floor(bits / 2 ** 23) & 0x0f];
  const channels = Math.floor(bits / 2 ** 19) & 0x0f;
  if (profile === 31 || sampleRate === undefined || channels === 0) return { profile: String(profile) };
  return { profile: String(profile), sampleRate, channels: channels === 7 ? 8 : channels };
}

function indexOfName(bytes: Uint8Array, name: string): number {
  for (let at = 0; at + 4 <= bytes.length; at++) if (name4(bytes, at) === name) return at;
  return -1;
}

/** Reads chapters from a text track (QuickTime, iTunes), which can hold more than the 255 chapters of a Nero list. */
async function textChapters(source: ByteSource, stbl: Atom, timescale: number): Promise<readonly ChapterMark[]> {
  const marks: ChapterMark[] = [];
  for (const { offset, size, time } of await samplesOf(source, stbl, LIMITS.chapters)) {
    const bytes = await source.read(offset, Math.min(size, 4096));
    const text = bytes.subarray(2, 2 + u16(bytes, 0));
    marks.push({ title: titleOf(text), startMs: (time * 1000) / timescale });
  }
  return marks;
}

function titleOf(text: Uint8Array): string {
  if (text[0] === 0xfe && text[1] === 0xff) return utf16(text.subarray(2), false);
  if (text[0] === 0xff && text[1] === 0xfe) return utf16(text.subarray(2), true);
  return utf8(text);
}

const NERO_TICKS_PER_MS = 10_000;

/** Reads Nero's chapter list. Its count is one byte, so it holds at most 255 chapters. */
async function neroChapters(source: ByteSource, chpl: Atom): Promise<readonly ChapterMark[]> {
  const bytes = await content(source, chpl);
  const isVersion1 = bytes[0] === 1;
  const count = isVersion1 ? (bytes[8] ?? 0) : u32(bytes, 4) > 255 ? (bytes[4] ?? 0) : u32(bytes, 4);
  const marks: ChapterMark[] = [];
  let at = isVersion1 ? 9 : u32(bytes, 4) > 255 ? 5 : 8;
  for (let n = 0; n < count && at + 9 <= bytes.length; n++) {
    const length = bytes[at + 8] ?? 0;
    marks.push({ title: utf8(bytes, at + 9, at + 9 + length), startMs: u64(bytes, at) / NERO_TICKS_PER_MS });
    at += 9 + length;
  }
  return marks;
}

const NAMES: Readonly<Record<string, string>> = {
  '\u00a9nam': 'TITLE',
  '\u00a9alb': 'ALBUM',
  '\u00a9ART': 'ARTIST',
  aART: 'ALBUMARTIST',
  '\u00a9wrt': 'COMPOSER',
  '\u00a9nrt': 'NARRATOR',
  '\u00a9day': 'DATE',
  '\u00a9gen': 'GENRE',
  '\u00a9grp': 'GROUPING',
  '\u00a9cmt': 'COMMENT',
  '\u00a9pub': 'PUBLISHER',
  '\u00a9mvn': 'SERIES',
  '\u00a9mvi': 'SERIES-PART',
  '\u00a9st3': 'SUBTITLE',
  desc: 'DESCRIPTION',
  ldes: 'LONGDESCRIPTION',
};

interface Mp4Tags {
  readonly entries: readonly TagEntry[];
  readonly pictures: readonly Picture[];
}

/**
 * Reads the names of QuickTime tags, which ffmpeg writes with `-movflags use_metadata_tags`. A tag refers to its name
 * by the name's position in this list.
 */
async function keyNames(source: ByteSource, keys: Atom): Promise<readonly string[]> {
  const bytes = await content(source, keys);
  const count = Math.min(u32(bytes, 4), LIMITS.entries);
  const names: string[] = [];
  for (let at = 8; names.length < count && at + 8 <= bytes.length;) {
    const size = Math.max(8, u32(bytes, at));
    names.push(
      utf8(bytes, at + 8, Math.min(at + size, bytes.length))
        .replace('com.apple.quicktime.', '')
        .toUpperCase(),
    );
    at += size;
  }
  return names;
}

const numberOf = (name: string): number => Buffer.from(name, 'latin1').readUInt32BE();

/** Reads iTunes tags: one box per tag, each with one or more values. */
async function readIlst(source: ByteSource, ilst: Atom, keys: readonly string[]): Promise<Mp4Tags> {
  const entries: TagEntry[] = [];
  const pictures: Picture[] = [];
  for (const item of await childrenOf(source, ilst)) {
    if (entries.length >= LIMITS.entries) break;
    const values = (await childrenOf(source, item)).filter(({ name }) => name === 'data');
    if (item.name === 'covr') {
      for (const value of values) if (pictures.length < LIMITS.pictures) pictures.push(await pictureOf(source, value));
      continue;
    }
    const name =
      item.name === '----' ? await freeName(source, item) : (NAMES[item.name] ?? keys[numberOf(item.name) - 1]);
    if (item.name === 'trkn') entries.push(...(await pair(source, values[0], 'TRACK')));
    else if (item.name === 'disk') entries.push(...(await pair(source, values[0], 'DISC')));
    else if (name !== undefined) {
      for (const value of values) entries.push(...(await textOf(source, value, name)));
    }
  }
  return { entries, pictures: pictures.filter(({ length }) => length > 0 && length <= LIMITS.pictureBytes) };
}

async function textOf(source: ByteSource, data: Atom, name: string): Promise<readonly TagEntry[]> {
  const bytes = await source.read(data.start, Math.min(data.end - data.start, LIMITS.textBytes));
  const isNumber = (u32(bytes, 0) & 0xff) === 21 && bytes.length <= 12;
  const value = isNumber ? String(bytes.subarray(8).reduce((sum, byte) => sum * 256 + byte, 0)) : utf8(bytes, 8).trim();
  return value === '' ? [] : [[name, value]];
}

async function pair(source: ByteSource, data: Atom | undefined, name: string): Promise<readonly TagEntry[]> {
  if (data === undefined) return [];
  const bytes = await source.read(data.start, 16);
  const [number, total] = [u16(bytes, 10), u16(bytes, 12)];
  return number === 0 ? [] : [[name, total === 0 ? String(number) : `${number}/${total}`]];
}

/** Returns the name of a custom tag, which is a `----` box with one box for the owner and one for the name. */
async function freeName(source: ByteSource, item: Atom): Promise<string | undefined> {
  const atom = (await childrenOf(source, item)).find(({ name }) => name === 'name');
  if (atom === undefined || atom.end - atom.start > 256) return undefined;
  const bytes = await source.read(atom.start, atom.end - atom.start);
  return utf8(bytes, 4).toUpperCase();
}

async function pictureOf(source: ByteSource, data: Atom): Promise<Picture> {
  const start = data.start + 8;
  const length = Math.max(0, Math.min(data.end, source.size) - start);
  const head = await source.read(start, 4);
  const mime = name4(head, 0).endsWith('PNG') ? 'image/png' : 'image/jpeg';
  return { mime, offset: start, length, isFront: true, bytes: async () => (await source.read(start, length)).slice() };
}
