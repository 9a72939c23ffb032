import { utaskErrors } from './errors.ts';

/** Keys of the embedded store hold 240 bytes; 16 of them are reserved for the number of a shard. */
const KEY_LENGTH_MAX = 224;
const KEPT = /^[a-z0-9_-]$/;
// oxlint-disable-next-line no-control-regex -- these are the characters that are refused
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f,]/;

/** Returns the canonical form of a tag: NFC, lowercase, trimmed. */
export function normalizedTag(typed: string): string {
  // Lowercasing can decompose characters, so normalize again.
  const tag = typed.normalize('NFC').toLowerCase().normalize('NFC').trim();
  if (tag === '') throw utaskErrors.BAD_TAG('A tag is empty.');
  if (FORBIDDEN.test(tag)) throw utaskErrors.BAD_TAG(`"${tag}" contains a comma or a control character.`);
  if (!tag.isWellFormed()) throw utaskErrors.BAD_TAG('A tag is not valid Unicode.');
  if (tagToKey(tag).length > KEY_LENGTH_MAX) throw utaskErrors.BAD_TAG(`The tag "${tag}" is too long.`);
  return tag;
}

/** Each tag once, in the order given. `a,b` is two tags. */
export function normalizedTags(typed: readonly string[]): readonly string[] {
  return [...new Set(typed.flatMap((words) => words.split(',')).map(normalizedTag))];
}

/**
 * Encodes a tag as a NATS key. Letters, digits, _ and - stay, so simple tags are their own keys. Every other byte
 * becomes =HH. Dots are encoded too, so `<tag>.<n>` can name further shards of a long list.
 */
export function tagToKey(tag: string): string {
  // NATS reserves keys that begin with _kv.
  const isReserved = tag.startsWith('_kv');
  let key = '';
  for (const character of tag) {
    const isKept = KEPT.test(character) && !(isReserved && key === '');
    key += isKept ? character : escapedBytes(character);
  }
  return key;
}

/** Returns undefined for a key that encodes no tag. */
export function keyToTag(key: string): string | undefined {
  const bytes: number[] = [];
  for (let index = 0; index < key.length; index++) {
    if (key[index] !== '=') {
      bytes.push(key.charCodeAt(index));
      continue;
    }
    bytes.push(Number.parseInt(key.slice(index + 1, index + 3), 16));
    index += 2;
  }
  const tag = Buffer.from(bytes).toString('utf8');
  return tagToKey(tag) === key ? tag : undefined;
}

function escapedBytes(character: string): string {
  return [...Buffer.from(character)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
