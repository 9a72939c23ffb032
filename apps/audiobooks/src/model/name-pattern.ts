import { audiobookErrors } from './errors.ts';

/** Fields that a pattern can contain. */
const PATTERN_FIELDS = ['author', 'title', 'subtitle', 'series', 'sequence', 'year', 'narrator', 'skip'] as const;
export type PatternField = (typeof PATTERN_FIELDS)[number];

interface Part {
  readonly field: PatternField;
  /** Text after the field. */
  readonly end: string;
}

export interface NamePattern {
  /** Text before the first field. */
  readonly start: string;
  readonly parts: readonly Part[];
  /** Number of folder names that the pattern describes. */
  readonly depth: number;
}

/** Parses a pattern such as `{author}/{series} {sequence} - {title} ({year})`. `{skip}` matches any other text. */
export function parseNamePattern(text: string): NamePattern {
  const [start = '', ...rest] = text.trim().split(/\{(?=[^{}]*\})/u);
  const parts = rest.map((piece): Part => {
    const [name = '', end = ''] = piece.split('}', 2);
    const field = PATTERN_FIELDS.find((known) => known === name);
    if (field === undefined) throw invalid(`{${name}} is not a field.`);
    return { field, end: end.replaceAll(/\s+/gu, ' ') };
  });
  const fields = parts.filter(({ field }) => field !== 'skip').map(({ field }) => field);
  if (fields.length === 0) throw invalid('The pattern contains no field.');
  if (new Set(fields).size < fields.length) throw invalid('The pattern contains a field twice.');
  const joined = parts.slice(0, -1).find(({ end }) => end === '');
  if (joined !== undefined) throw invalid(`Text must separate {${joined.field}} from the next field.`);
  return { start: start.replaceAll(/\s+/gu, ' '), parts, depth: text.trim().split('/').length };
}

function invalid(reason: string): Error {
  return audiobookErrors.PATTERN_INVALID(
    `${reason} Fields are ${PATTERN_FIELDS.map((name) => `{${name}}`).join(', ')}.`,
  );
}

const CHECKS: ReadonlyMap<PatternField, RegExp> = new Map([
  ['year', /^\d{4}$/u],
  ['sequence', /^\d{1,4}(?:\.\d+)?[a-z]?(?:-\d{1,4})?$/iu],
]);

/**
 * Matches a text, with each field as short as possible; returns undefined if the text does not match. Remembers where
 * matching failed, so that no pattern can be slow.
 */
export function matchName({ start, parts }: NamePattern, text: string): ReadonlyMap<PatternField, string> | undefined {
  const name = text.replaceAll(/\s+/gu, ' ');
  const failed = new Set<string>();
  const matchFrom = (index: number, at: number): readonly string[] | undefined => {
    const part = parts[index];
    if (part === undefined) return at === name.length ? [] : undefined;
    const place = `${index}:${at}`;
    if (failed.has(place)) return undefined;
    const isLast = index === parts.length - 1;
    let stop = isLast ? name.length - part.end.length : name.indexOf(part.end, at + 1);
    while (stop > at && name.startsWith(part.end, stop)) {
      const value = name.slice(at, stop).trim();
      const rest = isValue(part.field, value) ? matchFrom(index + 1, stop + part.end.length) : undefined;
      if (rest !== undefined) return [value, ...rest];
      stop = isLast ? -1 : name.indexOf(part.end, stop + 1);
    }
    failed.add(place);
    return undefined;
  };
  const values = name.startsWith(start) ? matchFrom(0, start.length) : undefined;
  if (values === undefined) return undefined;
  const found = parts.map(({ field }, index) => [field, values[index] ?? ''] as const);
  return new Map(found.filter(([field]) => field !== 'skip'));
}

function isValue(field: PatternField, value: string): boolean {
  return value !== '' && !value.includes('/') && (CHECKS.get(field)?.test(value) ?? true);
}
