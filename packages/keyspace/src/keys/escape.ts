import { createHash } from 'node:crypto';

import { keyspaceErrors } from '../errors.ts';

/**
 * The only encoder for text in keys.
 *
 * Ids, words and most Unicode stay readable. %XX escapes the delimiters `/` and `:` in text, control characters, `%`
 * itself, and `~`, which marks shortened text. Text that is too long is replaced with its beginning plus a hash of the
 * whole text. Such text can be found and compared, but not read back.
 */

export const TEXT_BYTES_MAX = 240;
const KEPT_BYTES = 160;
const HASH_HEX = 32;

/** Stands for the empty text, which would otherwise leave two adjacent delimiters. */
const EMPTY = '%_';

// oxlint-disable-next-line no-control-regex -- control characters are exactly what has to be found
const special = /[%/:~\u0000-\u001f\u007f\ud800-\udfff]/u;
// oxlint-disable-next-line no-control-regex -- control characters are exactly what has to be found
const everySpecial = /[%/:~\u0000-\u001f\u007f\ud800-\udfff]/gu;

export function encodeText(text: string): string {
  if (text === '') return EMPTY;
  if (text.length * 3 <= TEXT_BYTES_MAX && !special.test(text)) return text;
  const escaped = text.replaceAll(everySpecial, escapeCharacter);
  return Buffer.byteLength(escaped) <= TEXT_BYTES_MAX ? escaped : shorten(text, escaped);
}

/** Returns the text; undefined if it was shortened. */
export function decodeText(encoded: string): string | undefined {
  if (encoded === EMPTY) return '';
  if (encoded.includes('~')) return undefined;
  if (!encoded.includes('%')) return encoded;
  return encoded.replaceAll(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function escapeCharacter(character: string): string {
  if (character >= '\ud800') {
    throw keyspaceErrors.KEY_INVALID('Text in a key is not valid Unicode: it contains a lone surrogate');
  }
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function shorten(text: string, escaped: string): string {
  const hash = createHash('sha256').update(text, 'utf8').digest('hex').slice(0, HASH_HEX);
  return `${beginning(escaped)}~${hash}`;
}

/** Returns the longest prefix that fits, without splitting a character or an escape. */
function beginning(escaped: string): string {
  let kept = '';
  let bytes = 0;
  for (const [unit] of escaped.matchAll(/%[0-9A-F]{2}|[^]/gu)) {
    bytes += Buffer.byteLength(unit);
    if (bytes > KEPT_BYTES) break;
    kept += unit;
  }
  return kept;
}
