import { codexErrors } from './errors.ts';
import { type Container, isText, sniff } from './sniff.ts';

/** Allowed extensions of attachments, with the content that each requires. */
const CONTAINER_BY_ENDING: Readonly<Record<string, Container | 'text'>> = {
  avif: 'avif',
  bmp: 'bmp',
  csv: 'text',
  docx: 'zip',
  epub: 'zip',
  flac: 'flac',
  gif: 'gif',
  jpeg: 'jpeg',
  jpg: 'jpeg',
  json: 'text',
  m4a: 'm4a',
  md: 'text',
  mov: 'isom',
  mp3: 'mp3',
  mp4: 'isom',
  odp: 'zip',
  ods: 'zip',
  odt: 'zip',
  ogg: 'ogg',
  opus: 'ogg',
  pdf: 'pdf',
  png: 'png',
  pptx: 'zip',
  svg: 'text',
  txt: 'text',
  wav: 'wave',
  webm: 'ebml',
  webp: 'webp',
  xlsx: 'zip',
  yaml: 'text',
  yml: 'text',
  zip: 'zip',
};

const ENDING_BY_CONTAINER: Readonly<Record<Container, string>> = {
  avif: 'avif',
  bmp: 'bmp',
  ebml: 'webm',
  flac: 'flac',
  gif: 'gif',
  isom: 'mp4',
  jpeg: 'jpg',
  m4a: 'm4a',
  mp3: 'mp3',
  ogg: 'ogg',
  pdf: 'pdf',
  png: 'png',
  wave: 'wav',
  webp: 'webp',
  zip: 'zip',
};

const STEM_BYTES_MAX = 60;
const HASH_CHARACTERS = 8;

/**
 * File name of an attachment: its original name, sanitised, and the start of its hash, so that different content never
 * gets the same name. The extension fits the content; unknown binary content is refused.
 */
export function attachmentName(name: string, bytes: Uint8Array, hash: string): string {
  const bare = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  const dot = bare.lastIndexOf('.');
  const ending = endingFor(dot < 0 ? '' : bare.slice(dot + 1).toLowerCase(), bytes);
  if (ending === undefined) {
    throw codexErrors.ATTACHMENT_TYPE(`${JSON.stringify(name)} is not of a kind that can be attached`);
  }
  return `${plain(dot <= 0 ? bare : bare.slice(0, dot))}-${hash.slice(0, HASH_CHARACTERS)}.${ending}`;
}

function endingFor(given: string, bytes: Uint8Array): string | undefined {
  const found = sniff(bytes);
  const expected = Object.hasOwn(CONTAINER_BY_ENDING, given) ? CONTAINER_BY_ENDING[given] : undefined;
  if (expected === 'text') return isText(bytes) ? given : undefined;
  if (found === undefined) return undefined;
  return expected === found ? given : ENDING_BY_CONTAINER[found];
}

function plain(stem: string): string {
  let text = stem
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/gu, '');
  while (Buffer.byteLength(text) > STEM_BYTES_MAX) text = Array.from(text).slice(0, -1).join('');
  return text === '' ? 'file' : text;
}
