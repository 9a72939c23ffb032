import { toTimestamp } from '@holdfast/base';

import { pathKey } from '../path.ts';
import { splitCjk } from './cjk.ts';
import { propertyKey, propertyValueKey, tagKey } from './properties.ts';

/** A condition that needs no full-text search. */
export type Filter = (
  | { readonly kind: 'tag'; readonly tag: string }
  /** If `value` is undefined, the property only has to exist. */
  | { readonly kind: 'property'; readonly key: string; readonly value: string | undefined }
  /** Prefix of the path, ignoring case. */
  | { readonly kind: 'path'; readonly prefix: string }
  | { readonly kind: 'after' | 'before'; readonly time: string }
) & { readonly isNot: boolean };

export interface SearchQuery {
  /** FTS5 query; undefined if the search has no words. */
  readonly match: string | undefined;
  /** FTS5 query for excluded words; set only if `match` is undefined. */
  readonly mismatch: string | undefined;
  readonly filters: readonly Filter[];
}

const TEXT_LENGTH_MAX = 1_000;
const TERMS_MAX = 32;
/** A word, or a name with a value. The word and the value may be quoted. */
const TERM =
  /(-?)([\p{L}_][\p{L}\p{N}_.-]*):(?=\s|$)|(-?)(?:([\p{L}_][\p{L}\p{N}_.-]*):(?!\/\/))?(?:"([^"]*)"?|([^\s"]+))/gu;
const SEARCHABLE = /[\p{L}\p{N}\p{Co}]/u;
const DAY = /^\d{4}(?:-\d\d(?:-\d\d)?)?$/u;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?$/u;

/**
 * Parses a typed search: words (also prefixes), `"a phrase"`, `-without`, `tag:lab` or `#lab`, `path:runs/`,
 * `title:word`, `after:2026-01-01`, `before:2026`, and `name:value` for any property. Every text is a valid search,
 * because all words are quoted for FTS5.
 */
export function parseSearch(text: string): SearchQuery {
  const wanted: string[] = [];
  const unwanted: string[] = [];
  const filters: Filter[] = [];
  const found = text.slice(0, TEXT_LENGTH_MAX).toWellFormed().replaceAll('\0', ' ').matchAll(TERM);
  let count = 0;
  for (const match of found) {
    if ((count += 1) > TERMS_MAX) break;
    const name = match[2] ?? match[4];
    const value = match[5] ?? match[6] ?? '';
    const isNot = (match[1] ?? match[3]) === '-';
    const filter = filterOf(name, value, isNot);
    if (filter !== undefined) {
      filters.push(filter);
      continue;
    }
    const expression = expressionOf(value, name === undefined ? undefined : 'title', match[5] !== undefined);
    if (expression !== undefined) (isNot ? unwanted : wanted).push(expression);
  }
  const none = unwanted.length === 0 ? undefined : unwanted.join(' OR ');
  if (wanted.length === 0) return { match: undefined, mismatch: none, filters };
  const all = wanted.join(' AND ');
  return { match: none === undefined ? all : `(${all}) NOT (${none})`, mismatch: undefined, filters };
}

function filterOf(name: string | undefined, value: string, isNot: boolean): Filter | undefined {
  const tag = name === undefined ? /^#(.+)$/u.exec(value)?.[1] : undefined;
  if (tag !== undefined) return { kind: 'tag', tag: tagKey(tag), isNot };
  switch (name) {
    case undefined:
    case 'title':
      return undefined;
    case 'tag':
      return value === '' ? undefined : { kind: 'tag', tag: tagKey(value.replace(/^#/u, '')), isNot };
    case 'path':
      return { kind: 'path', prefix: pathKey(value), isNot };
    case 'after':
    case 'before': {
      const time = searchTime(value);
      return time === undefined ? undefined : { kind: name, time, isNot };
    }
    default:
      return propertyFilter(name, value, isNot);
  }
}

/** Returns a year, month, day or time as the start of a stored UTC timestamp; undefined for any other text. */
export function searchTime(text: string): string | undefined {
  const isKnown = (DAY.test(text) || TIME.test(text)) && !Number.isNaN(Date.parse(text));
  if (!isKnown || DAY.test(text)) return isKnown ? text : undefined;
  return toTimestamp(Date.parse(/(?:Z|[+-]\d\d:\d\d)$/u.test(text) ? text : `${text}Z`));
}

export function propertyFilter(name: string, value: string, isNot = false): Filter {
  return { kind: 'property', key: propertyKey(name), value: value === '' ? undefined : propertyValueKey(value), isNot };
}

function expressionOf(text: string, column: string | undefined, isPhrase: boolean): string | undefined {
  if (!SEARCHABLE.test(text)) return undefined;
  const quoted = `"${splitCjk(text).replaceAll('"', '""')}"${isPhrase ? '' : ' *'}`;
  return column === undefined ? quoted : `${column} : ${quoted}`;
}
