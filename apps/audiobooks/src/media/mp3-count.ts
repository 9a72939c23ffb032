import { type FrameHeader, headerAt, sameStream } from './mp3-frame.ts';
import type { ByteSource } from './source.ts';

/**
 * Counts the frames of a stream. Estimating from the bit rate can be off by half for variable rates, so this counts
 * every frame unless the stream declares its count and cheap checks confirm it.
 */
export async function countFrames(
  source: ByteSource,
  start: number,
  end: number,
  first: FrameHeader,
  info: { readonly frames: number | undefined; readonly bytes: number | undefined } | undefined,
): Promise<{ readonly frames: number }> {
  // The frame with the count contains no audio.
  const from = info === undefined ? start : start + first.length;
  if (info?.frames !== undefined && info.bytes !== undefined) {
    const isWhole = Math.abs(info.bytes - (end - start)) <= first.length;
    if (isWhole && (await samplesAgree(source, from, end, first, info.frames))) return { frames: info.frames };
  }
  return { frames: await countAll(source, from, end, first) };
}

const CHUNK = 1024 * 1024;
/** After this many bytes without a frame, nothing useful follows. */
const GARBAGE_MAX = 64 * CHUNK;

async function countAll(source: ByteSource, start: number, end: number, first: FrameHeader): Promise<number> {
  let frames = 0;
  let at = start;
  let lastFrame = start;
  while (at + 4 <= end && at - lastFrame < GARBAGE_MAX) {
    const bytes = await source.read(at, Math.min(CHUNK, end - at));
    if (bytes.length < 4) break;
    const walked = walk(bytes, first, at + bytes.length >= end);
    frames += walked.frames;
    at += Math.max(walked.used, 1);
    if (walked.frames > 0) lastFrame = at;
  }
  return frames;
}

/** Returns the frames in a chunk and the bytes consumed; the next chunk starts there. */
function walk(
  bytes: Uint8Array,
  first: FrameHeader,
  isEnd: boolean,
): { readonly frames: number; readonly used: number } {
  let frames = 0;
  let at = 0;
  // After damage, only a following frame in the same chunk confirms a match.
  const last = isEnd ? bytes.length - 4 : bytes.length - 4096;
  while (at <= last) {
    const header = headerAt(bytes, at);
    if (header !== undefined && sameStream(header, first)) {
      // Players skip a truncated last frame.
      if (at + header.length > bytes.length) return { frames, used: bytes.length };
      frames += 1;
      at += header.length;
      continue;
    }
    at = nextFrame(bytes, at + 1, first);
    if (at < 0) return { frames, used: isEnd ? bytes.length : Math.max(1, last) };
  }
  return { frames, used: at };
}

/** Finds the next place where two frames of the stream follow each other, or where the last one ends the chunk. */
function nextFrame(bytes: Uint8Array, start: number, first: FrameHeader): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const header = headerAt(bytes, at);
    if (header === undefined || !sameStream(header, first)) continue;
    const next = at + header.length;
    const follower = headerAt(bytes, next);
    if (next === bytes.length || (follower !== undefined && sameStream(follower, first))) return at;
  }
  return -1;
}

const SAMPLE = 32 * 1024;
const TOLERANCE = 0.3;

/** Checks at three places whether the frame density matches the declared count. */
async function samplesAgree(
  source: ByteSource,
  start: number,
  end: number,
  first: FrameHeader,
  frames: number,
): Promise<boolean> {
  const expected = (end - start) / frames;
  if (!Number.isFinite(expected) || end - start < SAMPLE * 4) return false;
  let counted = 0;
  let bytes = 0;
  for (const at of [start, start + Math.floor((end - start) / 2), end - SAMPLE]) {
    const piece = await source.read(at, SAMPLE);
    const from = Math.max(0, nextFrame(piece, 0, first));
    const walked = walk(piece.subarray(from), first, true);
    if (walked.frames === 0) return false;
    counted += walked.frames;
    bytes += walked.used;
  }
  return Math.abs(bytes / counted / expected - 1) <= TOLERANCE;
}
