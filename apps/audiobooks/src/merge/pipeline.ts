import type { ScannedFile, StreamFormat } from '../model/scanned.ts';

export type Pipeline =
  /** Copies packets without encoding; lossless. */
  | { readonly kind: 'copy' }
  /** Encodes all files in one pass. */
  | { readonly kind: 'encode'; readonly target: EncodeTarget }
  /** Encodes files of different formats one by one, then joins them. */
  | { readonly kind: 'encode_each'; readonly target: EncodeTarget };

export interface EncodeTarget {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitrateKbps: number;
}

/** Codecs that m4b supports without encoding. */
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

/** Takes the best quality of all inputs within what every player supports; ffmpeg would use that of the first file. */
export function targetFor(files: readonly ScannedFile[], bitrateKbps?: number): EncodeTarget {
  const wanted = Math.max(...files.map(({ stream }) => stream.sampleRate));
  const sampleRate = RATES.find((rate) => rate >= wanted) ?? 48_000;
  const channels = Math.min(2, Math.max(1, ...files.map(({ stream }) => stream.channels)));
  return { sampleRate, channels, bitrateKbps: bitrateKbps ?? KBPS_PER_CHANNEL * channels };
}

/** Formats seconds for ffmpeg lists. */
export const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(6);
