import { KIBIBYTE } from '@holdfast/base';
import { isMap, LineCounter, parseDocument } from 'yaml';

import { readSimple } from './simple-properties.ts';

export type Properties = Readonly<Record<string, unknown>>;

export interface ReadProperties {
  readonly properties: Properties;
  /** Why the properties could not be read, for users; they are empty then. */
  readonly error: string | null;
}

export const PROPERTIES_BYTES_MAX: number = 64 * KIBIBYTE;
/** Limits aliases, which could exhaust memory. */
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
    if (!isMap(document.contents)) return failed('not a list of names with values');
    return { properties: plain(document.toJS({ maxAliasCount: ALIASES_MAX }), 0) as Properties, error: null };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

/** Also reads JSON sidecars. JSON is valid YAML, but its errors should be reported as JSON errors. */
export function readSidecar(source: string): ReadProperties {
  return readProperties(source.startsWith('\uFEFF') ? source.slice(1) : source);
}

function failed(error: string): ReadProperties {
  return { properties: {}, error };
}

/** Converts to values that JSON and the database store exactly. */
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
