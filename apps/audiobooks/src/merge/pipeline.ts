import type { ScannedFile, StreamFormat } from '../model/scanned.ts';

/** How several files become one. */
export type Pipeline =
  /** Packets as they are: nothing is lost, nothing is encoded. */
  | { readonly kind: 'copy' }
  /** One pass over all of them, to an explicit format. */
  | { readonly kind: 'encode'; readonly target: EncodeTarget }
  /** Each by itself to the same format, then joined: for files that differ. */
  | { readonly kind: 'encode_each'; readonly target: EncodeTarget };

export interface EncodeTarget {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitrateKbps: number;
}

/** Codecs that an m4b can contain without encoding. */
const COPYABLE = new Set(['aac', 'alac']);

const areEqual = (left: StreamFormat, right: StreamFormat): boolean =>
  left.codec === right.codec &&
  left.profile === right.profile &&
  left.sampleRate === right.sampleRate &&
  left.channels === right.channels;

export function choosePipeline(files: readonly ScannedFile[], bitrateKbps?: number): Pipeline {
  const [first, ...others] = files.map(({ stream }) => stream);
  const areSame = first !== undefined && others.every((stream) => areEqual(first, stream));
  const areMp4 = files.every(({ format }) => format === 'm4a' || format === 'm4b');
  if (areSame && areMp4 && COPYABLE.has(first.codec) && bitrateKbps === undefined) return { kind: 'copy' };
  return { kind: areSame ? 'encode' : 'encode_each', target: targetFor(files, bitrateKbps) };
}

const RATES = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];
const KBPS_PER_CHANNEL = 64;

/** The best of what goes in, within what every player takes; never left to whatever the first file happens to be. */
export function targetFor(files: readonly ScannedFile[], bitrateKbps?: number): EncodeTarget {
  const wanted = Math.max(...files.map(({ stream }) => stream.sampleRate));
  const sampleRate = RATES.find((rate) => rate >= wanted) ?? 48_000;
  const channels = Math.min(2, Math.max(1, ...files.map(({ stream }) => stream.channels)));
  return { sampleRate, channels, bitrateKbps: bitrateKbps ?? KBPS_PER_CHANNEL * channels };
}

/** Seconds as ffmpeg's lists want them. */
export const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(6);
