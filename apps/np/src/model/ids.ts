import { blake3 } from '@noble/hashes/blake3.js';

/** Returns the blake3-256 hash of a text as 64 lower-case hexadecimal digits. */
export function blake3Hex(text: string): string {
  return Buffer.from(blake3(Buffer.from(text))).toString('hex');
}

/**
 * Returns the canonical form of an absolute path whose links are resolved. On Windows, that is lower case with forward
 * slashes.
 */
export function canonicalForm(resolvedPath: string, platform: string): string {
  if (platform !== 'win32') return resolvedPath;
  const slashed = resolvedPath.replaceAll('\\', '/').toLowerCase();
  // Removes the prefix `//?/` that Windows puts before long and resolved paths.
  return slashed.replace(/^\/\/\?\/unc\//u, '//').replace(/^\/\/\?\//u, '');
}

export function directoryHash(canonicalPath: string): string {
  return blake3Hex(canonicalPath);
}

/** Returns the directory itself and all its parents, nearest first. */
export function withParents(canonicalPath: string): readonly string[] {
  const found = new Set<string>();
  for (let path = canonicalPath; !found.has(path); path = parentOf(path)) found.add(path);
  return [...found];
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return path;
  const parent = path.slice(0, slash);
  // Roots are their own parents: `/`, `c:/` and `//server/share`.
  if (parent === '') return '/';
  if (parent.endsWith(':') && !parent.startsWith('/')) return `${parent}/`;
  return parent.startsWith('//') && !parent.includes('/', 2) ? path : parent;
}

/** Unicode White_Space, as in Go's unicode.IsSpace. */
const SPACE = String.raw`[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, 'gu');

const ONLY_ASCII = /^[\0-\x7f]*$/u;

/**
 * Normalises a text as np's design document requires, so that ids agree with a program in Go: strings.TrimSpace,
 * strings.ToLower, NFC. JavaScript's own functions differ. `trim` removes U+FEFF and keeps U+0085; `toLowerCase`
 * depends on neighbouring characters (a final Σ becomes ς) and turns İ into two characters. Go converts each character
 * separately.
 */
export function normalize(text: string): string {
  const trimmed = text.replaceAll(OUTER_SPACE, '');
  if (ONLY_ASCII.test(trimmed)) return trimmed.toLowerCase();
  return Array.from(trimmed, lowerCase).join('').normalize('NFC');
}

function lowerCase(character: string): string {
  // JavaScript turns only this character into two.
  return character === '\u0130' ? 'i' : character.toLowerCase();
}

/** The texts that a task was created from. They determine its id, which later edits do not change. */
export interface TaskContent {
  readonly title: string;
  readonly description: string;
}

export interface NewTask extends TaskContent {
  /** Tasks that must be done first, by id or unique prefix. */
  readonly after?: readonly string[] | undefined;
}

const ID_LENGTH_MIN = 6;
const HASH_LENGTH = 64;

export function taskHash({ title, description }: TaskContent, sid: string): string {
  return blake3Hex(`${normalize(title)}|${normalize(description)}|${sid}`);
}

/** Returns the common prefix of all ids that could collide with this hash. */
export function idStem(hash: string): string {
  return hash.slice(0, ID_LENGTH_MIN);
}

export function isSameContent(left: TaskContent, right: TaskContent): boolean {
  return (
    normalize(left.title) === normalize(right.title) && normalize(left.description) === normalize(right.description)
  );
}

/**
 * Returns the shortest free prefix of the hash, at least six digits. Six digits are 24 bits: among 1,000 tasks, two ids
 * collide with a probability of 3 %. The second task must then get a longer id.
 */
export function freeTaskId(hash: string, takenIds: ReadonlySet<string>): string {
  for (let length = ID_LENGTH_MIN; length <= HASH_LENGTH; length += 1) {
    const id = hash.slice(0, length);
    if (!takenIds.has(id)) return id;
  }
  throw new Error('59 tasks have the same hash, which should be impossible');
}
