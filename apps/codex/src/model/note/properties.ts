import { KIBIBYTE } from '@holdfast/base';
import { isMap, LineCounter, parseDocument } from 'yaml';

export type Properties = Readonly<Record<string, unknown>>;

interface ReadProperties {
  readonly properties: Properties;
  /** Reason why the properties could not be read, as text for users; `properties` is then empty. */
  readonly error: string | null;
}

export const PROPERTIES_BYTES_MAX: number = 64 * KIBIBYTE;
/** Limits YAML aliases, whose expansion could exhaust memory. */
const ALIASES_MAX = 100;
const DEPTH_MAX = 32;

/** YAML 1.2 with core types only: no tag can run code. */
export const YAML_OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  stringKeys: true,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

const NONE: ReadProperties = { properties: {}, error: null };

/** `firstLine` is the line in the file at which the text starts, for error messages. */
export function readProperties(source: string, firstLine = 1): ReadProperties {
  if (source.trim() === '') return NONE;
  if (source.length > PROPERTIES_BYTES_MAX) return failed(`longer than ${PROPERTIES_BYTES_MAX / KIBIBYTE} KiB`);
  const simple = readSimple(source);
  return simple === undefined ? readYaml(source, firstLine) : { properties: simple, error: null };
}

export function readYaml(source: string, firstLine: number): ReadProperties {
  try {
    const lineCounter = new LineCounter();
    const document = parseDocument(source, { ...YAML_OPTIONS, lineCounter });
    const [error] = document.errors;
    if (error !== undefined) {
      const { line } = lineCounter.linePos(error.pos[0]);
      return failed(`line ${line + firstLine - 1}: ${error.message}`);
    }
    if (document.contents === null) return NONE;
    if (!isMap(document.contents)) return failed('not a mapping of names to values');
    return { properties: plain(document.toJS({ maxAliasCount: ALIASES_MAX }), 0) as Properties, error: null };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Also reads JSON sidecars, because JSON is valid YAML. */
export function readSidecar(source: string): ReadProperties {
  return readProperties(source.startsWith('\uFEFF') ? source.slice(1) : source);
}

function failed(error: string): ReadProperties {
  return { properties: {}, error };
}

/** Converts values to types that JSON and the database store exactly. */
function plain(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new RangeError(`nested more than ${DEPTH_MAX} levels deep`);
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
  if (value === null || typeof value !== 'object') return value ?? null;
  const entries = Object.entries(value).map(([key, each]) => [clean(key), plain(each, depth + 1)] as const);
  return Object.fromEntries(entries);
}

function clean(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

/**
 * Parses simple front matter: a few lines of `name: value`, as in most notes. A full YAML parser would take twenty
 * times as long as scanning the rest of the note, so it parses only more complex front matter. A test compares both
 * parsers.
 */
const LINE = /^([A-Za-z][\w-]*):(?: +(\S.*?))? *$/u;
const TEXT = /^\p{L}(?:[\p{L}\p{N} _./()+-]*[\p{L}\p{N}_./()+])?$/u;
const LIST = /^\[ *((?:[^[\],{}]+,)*[^[\],{}]+) *\]$/u;
const WHOLE = /^(?:0|-?[1-9]\d{0,14})$/u;
const DAY = /^\d{4}-\d\d-\d\d$/u;
/** Words that YAML does not read as text. */
const MEANT: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const OTHERWISE = /^(?:true|false|null)$/iu;

/** Parses simple front matter; undefined if the text needs a YAML parser. */
export function readSimple(source: string): Readonly<Record<string, unknown>> | undefined {
  const found: [string, unknown][] = [];
  const names = new Set<string>();
  for (const line of source.split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text === '') continue;
    const [, name, written] = LINE.exec(text) ?? [];
    if (name === undefined || written === undefined || names.has(name)) return undefined;
    const value = valueOf(written);
    if (value === undefined) return undefined;
    names.add(name);
    found.push([name, value]);
  }
  return Object.fromEntries(found);
}

function valueOf(written: string): unknown {
  const list = LIST.exec(written)?.[1];
  if (list === undefined) return scalarOf(written);
  const values = list.split(',').map((each) => scalarOf(each.trim()));
  return values.includes(undefined) ? undefined : values;
}

function scalarOf(text: string): unknown {
  if (Object.hasOwn(MEANT, text)) return MEANT[text];
  if (TEXT.test(text)) return OTHERWISE.test(text) ? undefined : text;
  if (DAY.test(text)) return text;
  return WHOLE.test(text) ? Number(text) : undefined;
}

/** Position of the front matter; all numbers are offsets in the text. */
interface FrontMatter {
  /** Range of the YAML between the fences, including the newline before the closing fence. */
  readonly start: number;
  readonly end: number;
  /** Start of the text after the front matter. */
  readonly body: number;
  /** Line break of the opening fence. Added lines end with it too. */
  readonly newline: '\n' | '\r\n';
}

const OPENING = /^\uFEFF?---[ \t]*(\r?\n)/u;
const CLOSING = /^\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/u;
/** Maximum length of a closing fence with trailing spaces. */
const FENCE_MAX = 80;

/** Finds the front matter: YAML between two lines of `---` at the start. A single such line is a horizontal rule. */
export function findFrontMatter(text: string): FrontMatter | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const newline = opening[1] === '\r\n' ? '\r\n' : '\n';
  // In empty front matter, the newline of the opening fence is also the one before the closing fence.
  for (let at = start - 1; at >= 0; at = text.indexOf('\n', at + 1)) {
    const second = text[at + 1];
    if (second !== '-' && second !== '.') continue;
    const closing = CLOSING.exec(text.slice(at, at + FENCE_MAX));
    if (closing !== null) return { start, end: at + 1, body: at + closing[0].length, newline };
  }
  return undefined;
}

interface PropertyValue {
  readonly name: string;
  /** The name with case and Unicode composition normalised. */
  readonly key: string;
  readonly value: string;
}

const VALUES_MAX = 200;
const VALUE_LENGTH_MAX = 200;
const VALUE_DEPTH_MAX = 4;

export function propertyKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

export function propertyValueKey(value: string): string {
  return value.normalize('NFC').toLowerCase().trim().slice(0, VALUE_LENGTH_MAX).toWellFormed();
}

/** Properties that are indexed separately. */
const KNOWN: ReadonlySet<string> = new Set(['title', 'description', 'tags']);

/** Flattens properties: one entry per list item, and dotted names for nested values. */
export function propertyValues(properties: Properties): readonly PropertyValue[] {
  const found = new Map<string, PropertyValue>();
  const add = (name: string, value: unknown, depth: number): void => {
    if (found.size >= VALUES_MAX || depth > VALUE_DEPTH_MAX) return;
    if (Array.isArray(value)) {
      for (const each of value) add(name, each, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      for (const [below, each] of Object.entries(value)) add(`${name}.${below}`, each, depth + 1);
    } else {
      const text = propertyValueKey(textOf(value));
      const key = propertyKey(name);
      found.set(`${key}\n${text}`, { name, key, value: text });
    }
  };
  for (const [name, value] of Object.entries(properties)) if (!KNOWN.has(name)) add(name, value, 0);
  return [...found.values()];
}

export function propertyText(properties: Properties): string {
  const lines: string[] = [];
  const add = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) add(each);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) add(each);
    else if (value !== null && typeof value !== 'boolean') lines.push(textOf(value));
  };
  for (const [name, value] of Object.entries(properties)) if (name !== 'title' && name !== 'tags') add(value);
  return lines.join('\n');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

const TAG_LENGTH_MAX = 100;

/** Tags ignore case and Unicode composition. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase();
}

/**
 * Returns the tags of the property `tags` (a list, or text separated by commas or spaces), then the tags in the text.
 */
export function tagsOf(properties: Properties, inText: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const tag of [...listed(properties['tags']), ...inText]) {
    const name = tag.normalize('NFC').trim().replace(/^#+/u, '').slice(0, TAG_LENGTH_MAX);
    if (name !== '' && !found.has(tagKey(name))) found.set(tagKey(name), name);
  }
  return [...found.values()];
}

function listed(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(/[\s,]+/u);
  if (typeof value === 'number') return [String(value)];
  if (!Array.isArray(value)) return [];
  return value.filter((each) => typeof each === 'string' || typeof each === 'number').map(String);
}
