import type { StreamFormat } from '../model/scanned.ts';
import { name4, u16, u32 } from './bytes.ts';

export function streamOf(stsd: Uint8Array): StreamFormat {
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

/** The decoder's configuration is correct where the surrounding fields are not: HE-AAC, mono, 96 kHz. */
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

/** Five bits of profile, four of rate, four of channels. The rare long forms fall back to the surrounding fields. */
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
