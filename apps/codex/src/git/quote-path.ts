/**
 * A path as `git fast-import` reads it without ambiguity: always quoted, bytes outside of printable ASCII as octal
 * escapes, so that newlines, quotes, backslashes and any Unicode survive.
 */
export function quotePath(path: string): string {
  if (SIMPLE.test(path)) return `"${path}"`;
  let quoted = '"';
  for (const byte of new TextEncoder().encode(path)) {
    if (byte === QUOTE || byte === BACKSLASH) quoted += `\\${String.fromCharCode(byte)}`;
    else if (byte < SPACE || byte >= DELETE) quoted += `\\${byte.toString(8).padStart(3, '0')}`;
    else quoted += String.fromCharCode(byte);
  }
  return `${quoted}"`;
}

const SIMPLE = /^[\w ./()+,=@-]*$/;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;
