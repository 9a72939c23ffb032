import type { AudioFormat } from './scanned.ts';

/** An allow-list, independent of file names, so that no file is served as a web page. */
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
