import { codexErrors } from './errors.ts';

/** A file format that is recognised by its first bytes. */
type Container = Exclude<NonNullable<(typeof TYPES)[keyof typeof TYPES][1]>, 'text'>;

/**
 * Content type of each extension, and the format that the content of an attachment must have. Types without a format
 * cannot be attached. An attachment with another format gets the first extension of that format.
 */
const TYPES = {
  zip: ['application/zip', 'zip'],
  mp4: ['video/mp4', 'isom'],
  jpg: ['image/jpeg', 'jpeg'],
  avif: ['image/avif', 'avif'],
  bmp: ['image/bmp', 'bmp'],
  css: ['text/css'],
  csv: ['text/csv', 'text'],
  docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'zip'],
  epub: ['application/epub+zip', 'zip'],
  flac: ['audio/flac', 'flac'],
  gif: ['image/gif', 'gif'],
  htm: ['text/html'],
  html: ['text/html'],
  jpeg: ['image/jpeg', 'jpeg'],
  js: ['text/javascript'],
  json: ['application/json', 'text'],
  m4a: ['audio/mp4', 'm4a'],
  markdown: ['text/markdown'],
  md: ['text/markdown', 'text'],
  mov: ['video/quicktime', 'isom'],
  mp3: ['audio/mpeg', 'mp3'],
  odp: ['application/vnd.oasis.opendocument.presentation', 'zip'],
  ods: ['application/vnd.oasis.opendocument.spreadsheet', 'zip'],
  odt: ['application/vnd.oasis.opendocument.text', 'zip'],
  ogg: ['audio/ogg', 'ogg'],
  opus: ['audio/ogg', 'ogg'],
  pdf: ['application/pdf', 'pdf'],
  png: ['image/png', 'png'],
  pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'zip'],
  svg: ['image/svg+xml', 'text'],
  toml: ['application/toml'],
  ts: ['text/plain'],
  txt: ['text/plain', 'text'],
  wav: ['audio/wav', 'wave'],
  webm: ['video/webm', 'ebml'],
  webp: ['image/webp', 'webp'],
  xhtml: ['application/xhtml+xml'],
  xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'zip'],
  xml: ['application/xml'],
  yaml: ['application/yaml', 'text'],
  yml: ['application/yaml', 'text'],
} as const satisfies Readonly<Record<string, readonly [type: string, content?: string]>>;

function typeOfEnding(ending: string): readonly [type: string, content?: Container | 'text'] | undefined {
  return Object.hasOwn(TYPES, ending) ? TYPES[ending as keyof typeof TYPES] : undefined;
}

/** Returns the content type for the extension; the content is never trusted. */
export function contentTypeOf(path: string): string {
  const ending = /\.([^./]+)$/u.exec(path)?.[1]?.toLowerCase() ?? '';
  return typeOfEnding(ending)?.[0] ?? 'application/octet-stream';
}

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

function sniff(bytes: Uint8Array): Container | undefined {
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
  // MPEG audio frame: eleven set bits, then a version and a layer that are not reserved.
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

const STEM_BYTES_MAX = 60;
const HASH_CHARACTERS = 8;

/**
 * Returns the file name of an attachment: its original name, sanitised, and the start of its hash, so that equal names
 * with different content do not collide. The extension matches the content; unknown binary content is refused.
 */
export function attachmentName(name: string, bytes: Uint8Array, hash: string): string {
  const bare = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const dot = bare.lastIndexOf('.');
  const ending = endingFor(dot < 0 ? '' : bare.slice(dot + 1).toLowerCase(), bytes);
  if (ending === undefined) {
    throw codexErrors.ATTACHMENT_TYPE(`${JSON.stringify(name)} has a type that cannot be attached`);
  }
  return `${plain(dot <= 0 ? bare : bare.slice(0, dot))}-${hash.slice(0, HASH_CHARACTERS)}.${ending}`;
}

function endingFor(given: string, bytes: Uint8Array): string | undefined {
  const found = sniff(bytes);
  const expected = typeOfEnding(given)?.[1];
  if (expected === 'text') return isText(bytes) ? given : undefined;
  if (found === undefined || expected === found) return found === undefined ? undefined : given;
  return Object.entries(TYPES).find(([, [, content]]) => content === found)?.[0];
}

function plain(stem: string): string {
  let text = stem
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/gu, '');
  while (Buffer.byteLength(text) > STEM_BYTES_MAX) text = Array.from(text).slice(0, -1).join('');
  return text === '' ? 'file' : text;
}

/** How to send a file to a browser; its content is untrusted. */
interface Serving {
  readonly type: string;
  readonly disposition: 'inline' | 'attachment';
  /** Content security policy for a file that is opened in its own tab. */
  readonly policy: string;
}

const SEALED = "default-src 'none'; frame-ancestors 'none'; sandbox";
const IMAGES: ReadonlySet<string> = new Set([
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
]);
const TEXTS: ReadonlySet<string> = new Set([
  'application/json',
  'application/toml',
  'application/yaml',
  'text/csv',
  'text/markdown',
  'text/plain',
]);

/**
 * Returns how to serve a content type. Images, text, audio, video and PDF are shown inline. HTML, XML, scripts and
 * unknown types become downloads without a specific type. SVG keeps its type, because an image in a page runs no
 * scripts; opened on its own, it is a download.
 */
export function servingOf(contentType: string): Serving {
  if (IMAGES.has(contentType)) return { type: contentType, disposition: 'inline', policy: SEALED };
  if (TEXTS.has(contentType)) return { type: 'text/plain; charset=utf-8', disposition: 'inline', policy: SEALED };
  if (/^(audio|video)\/[\w.+-]+$/u.test(contentType)) {
    return { type: contentType, disposition: 'inline', policy: `media-src 'self'; ${SEALED}` };
  }
  // Browsers' PDF viewers do not work in a sandbox, and isolate the file themselves.
  if (contentType === 'application/pdf') {
    return { type: contentType, disposition: 'inline', policy: "default-src 'none'; frame-ancestors 'none'" };
  }
  if (contentType === 'image/svg+xml') {
    return { type: contentType, disposition: 'attachment', policy: `style-src 'unsafe-inline'; ${SEALED}` };
  }
  return { type: 'application/octet-stream', disposition: 'attachment', policy: SEALED };
}

/** Returns a Content-Disposition header with a file name. `filename*` (RFC 6266) allows every character. */
export function dispositionOf({ disposition }: Serving, filename: string): string {
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename*=UTF-8''${encoded}`;
}
