import { type Chapter, chaptersFromMarks } from '../model/chapters.ts';
import type { AudioFormat, AudioTags, StreamFormat } from '../model/scanned.ts';
import { readFlac } from './flac.ts';
import { readMp3 } from './mp3.ts';
import { readMp4 } from './mp4.ts';
import { readOgg } from './ogg.ts';
import { type ByteSource, MediaError, name4, startsWith } from './source.ts';
import { audioTags, type Found, type Picture } from './tags.ts';

/** Content of a media file's headers and tags. Probing does not decode audio. */
export interface Probed {
  readonly stream: StreamFormat;
  readonly durationMs: number;
  readonly chapters: readonly Chapter[];
  readonly tags: AudioTags;
  readonly cover: Picture | undefined;
  readonly sound: Found['sound'];
  readonly isIncomplete: boolean;
}

const EXTENSIONS: ReadonlyMap<string, AudioFormat> = new Map(
  Object.entries({
    mp3: 'mp3',
    m4a: 'm4a',
    mp4: 'm4a',
    m4b: 'm4b',
    flac: 'flac',
    ogg: 'ogg',
    oga: 'ogg',
    opus: 'opus',
  }),
);

export function formatOfName(name: string): AudioFormat | undefined {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? undefined : EXTENSIONS.get(name.slice(dot + 1).toLowerCase());
}

/** Longer than any book; a longer declared duration is treated as wrong. */
const DURATION_MAX_MS = 1_000 * 3_600_000;

export async function probe(source: ByteSource): Promise<Probed> {
  const found = await readerFor(await source.read(0, 16))(source);
  if (found.durationMs > DURATION_MAX_MS) throw new MediaError('unreadable', 'the duration exceeds 1,000 hours');
  if (found.durationMs < 1) throw new MediaError('incomplete', 'no audio found');
  if (found.stream.codec === 'encrypted') throw new MediaError('unreadable', 'the file is encrypted');
  const { stream, durationMs, sound, isIncomplete } = found;
  return {
    stream,
    durationMs,
    chapters: chaptersFromMarks(found.chapters, durationMs),
    tags: audioTags(found.entries),
    cover: coverOf(found.pictures),
    sound,
    isIncomplete,
  };
}

/** Chooses the reader by the file's content, because people rename files: an mp3 named .m4b is still an mp3. */
function readerFor(head: Uint8Array): (source: ByteSource) => Promise<Found> {
  if (head.length === 0) throw new MediaError('incomplete', 'the file is empty');
  if (startsWith(head, 'OggS')) return readOgg;
  if (startsWith(head, 'fLaC')) return readFlac;
  if (['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide'].includes(name4(head, 4))) return readMp4;
  return readMp3OrFlac;
}

/**
 * Reads a file that starts with an ID3 tag. It is usually an mp3, but some programs write such a tag into FLAC files.
 */
async function readMp3OrFlac(source: ByteSource): Promise<Found> {
  try {
    return await readMp3(source);
  } catch (error) {
    if (!(error instanceof MediaError) || !startsWith(await source.read(0, 3), 'ID3')) throw error;
    return readFlac(source);
  }
}

function coverOf(pictures: readonly Picture[]): Picture | undefined {
  return pictures.find(({ isFront }) => isFront) ?? pictures[0];
}
