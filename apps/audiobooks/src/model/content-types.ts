import type { AudioFormat } from './scanned.ts';

/** From an allow-list, never from a name: browsers and players get what they expect, and nothing can be a page. */
const TYPES: Readonly<Record<AudioFormat, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  m4b: 'audio/mp4',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
};

export function contentTypeOf(format: string): string {
  return Object.hasOwn(TYPES, format) ? TYPES[format as AudioFormat] : 'application/octet-stream';
}
