/** Parses an MPEG audio frame header: four bytes with the frame's length and number of samples. */

export interface FrameHeader {
  readonly length: number;
  readonly samples: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly layer: number;
  /** 1, 2 or 2.5. */
  readonly version: number;
}

const RATES: readonly (readonly number[])[] = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
];
const BITRATES_1: readonly (readonly number[])[] = [
  [],
  [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
];
const BITRATES_2: readonly (readonly number[])[] = [
  [],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
];

function compute(second: number, third: number): FrameHeader | undefined {
  const versionBits = (second >> 3) & 3;
  const layerBits = (second >> 1) & 3;
  const sampleRate = RATES[versionBits]?.[(third >> 2) & 3];
  const bitrate = (versionBits === 3 ? BITRATES_1 : BITRATES_2)[layerBits]?.[(third >> 4) - 1];
  if ((second & 0xe0) !== 0xe0 || sampleRate === undefined || bitrate === undefined) return undefined;
  const layer = 4 - layerBits;
  const padding = (third >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && versionBits !== 3 ? 576 : 1152;
  const length =
    layer === 1
      ? (Math.floor((12 * bitrate * 1000) / sampleRate) + padding) * 4
      : Math.floor(((samples / 8) * bitrate * 1000) / sampleRate) + padding;
  const version = versionBits === 3 ? 1 : versionBits === 2 ? 2 : 2.5;
  return { length, samples, sampleRate, channels: 2, layer, version };
}

/** All possible headers by second and third byte, so that counting needs one lookup per frame. */
const HEADERS: readonly (FrameHeader | undefined)[] = Array.from({ length: 0x1_0000 }, (_, index) =>
  compute(index >> 8, index & 0xff),
);

export function headerAt(bytes: Uint8Array, offset: number): FrameHeader | undefined {
  if (bytes[offset] !== 0xff) return undefined;
  return HEADERS[((bytes[offset + 1] ?? 0) << 8) | (bytes[offset + 2] ?? 0)];
}

export function channelsAt(bytes: Uint8Array, offset: number): number {
  return ((bytes[offset + 3] ?? 0) & 0xc0) === 0xc0 ? 1 : 2;
}

/** Bit rate and padding may differ within a stream. */
export function sameStream(left: FrameHeader, right: FrameHeader): boolean {
  return left.sampleRate === right.sampleRate && left.layer === right.layer && left.version === right.version;
}
