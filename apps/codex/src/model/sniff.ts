/** Detects the type of a file by its first bytes. */
export type Container =
  | 'avif'
  | 'bmp'
  | 'ebml'
  | 'flac'
  | 'gif'
  | 'isom'
  | 'jpeg'
  | 'm4a'
  | 'mp3'
  | 'ogg'
  | 'pdf'
  | 'png'
  | 'wave'
  | 'webp'
  | 'zip';

const BEGINNINGS: readonly (readonly [Container, string])[] = [
  ['png', '\u0089PNG\r\n\u001A\n'],
  ['jpeg', '\u00FF\u00D8\u00FF'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['bmp', 'BM'],
  ['pdf', '%PDF-'],
  ['zip', 'PK\u0003\u0004'],
  ['zip', 'PK\u0005\u0006'],
  ['ogg', 'OggS'],
  ['flac', 'fLaC'],
  ['mp3', 'ID3'],
  ['ebml', '\u001A\u0045\u00DF\u00A3'],
];

export function sniff(bytes: Uint8Array): Container | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 64)).toString('latin1');
  const known = BEGINNINGS.find(([, beginning]) => head.startsWith(beginning));
  if (known !== undefined) return known[0];
  if (head.startsWith('RIFF'))
    return head.startsWith('WEBP', 8) ? 'webp' : head.startsWith('WAVE', 8) ? 'wave' : undefined;
  if (head.startsWith('ftyp', 4)) {
    const brand = head.slice(8, 12);
    return /^avi[fs]/u.test(brand) ? 'avif' : /^M4[AB]/u.test(brand) ? 'm4a' : 'isom';
  }
  const [first = 0, second = 0] = bytes;
  // MPEG audio frame: eleven set bits, then no reserved version or layer.
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) !== 0;
  return isFrame ? 'mp3' : undefined;
}

/** Returns whether the content is UTF-8 without NUL. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
