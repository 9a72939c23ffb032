import type { ChapterMark } from '../model/chapters.ts';
import type { StreamFormat } from '../model/scanned.ts';
import { name4, u32 } from './bytes.ts';
import type { Found } from './found.ts';
import { type Atom, atomsBetween, childrenOf, content, find } from './mp4-atoms.ts';
import { neroChapters, textChapters } from './mp4-chapters.ts';
import { streamOf } from './mp4-codec.ts';
import { fragmentDuration } from './mp4-fragments.ts';
import { type Mp4Tags, readIlst } from './mp4-tags.ts';
import { totalDuration } from './mp4-tables.ts';
import { type ByteSource, MediaError, windowed } from './source.ts';

export async function readMp4(file: ByteSource): Promise<Found> {
  const source = windowed(file);
  const top = await atomsBetween(source, 0, source.size);
  const moov = top.find(({ name }) => name === 'moov');
  const mdat = top.find(({ name }) => name === 'mdat');
  if (moov === undefined) {
    // Most writers put the index last, so a missing index means a truncated file.
    throw new MediaError(mdat === undefined ? 'unreadable' : 'incomplete', 'its index (moov) is missing');
  }
  const tracks = await tracksOf(source, moov);
  const sound = tracks.find(({ handler }) => handler === 'soun');
  if (sound === undefined) throw new MediaError('unreadable', 'there is no sound in it');
  const fragments = top.filter(({ name }) => name === 'moof');
  const { units } = await totalDuration(source, sound.stbl);
  const fragmented = fragments.length === 0 ? 0 : await fragmentDuration(source, moov, fragments, sound.id);
  const wholeMs = ((units + fragmented) * 1000) / sound.timescale;
  if (!(wholeMs > 0) || !Number.isSafeInteger(Math.round(wholeMs))) {
    throw new MediaError('unreadable', 'its sound has no length');
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
 * Returns the duration in milliseconds with every packet played in full. Joining by packet takes this long: with the
 * declared durations, the start of each file would overlap the end of the one before.
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

/** Prefers the text track, because Nero's list ends at 255 chapters. */
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
  // This box has a version in Apple's format, and none in QuickTime.
  for (const skip of [4, 0]) {
    const ilst = (await childrenOf(source, meta, skip)).find(({ name }) => name === 'ilst');
    if (ilst !== undefined) return readIlst(source, ilst);
  }
  return { entries: [], pictures: [] };
}
