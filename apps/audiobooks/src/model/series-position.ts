/**
 * Position of a book in its series, as written: `1`, `0.5`, `1-3`, `1a`, or nothing.
 *
 * The sort key is derived from this text: sign, ten digits, four decimals, suffix. A range sorts by its start, after a
 * single book with that number. Books without a position sort last.
 */

export interface SeriesPosition {
  readonly text: string;
  readonly from: number;
  /** Equals `from` unless the position is a range. */
  readonly to: number;
  /** The letter in `1a`; empty if there is none. */
  readonly suffix: string;
}

const POSITION = /^(?<from>-?\d{1,9}(?:\.\d{1,4})?)(?:(?<suffix>[a-z])|\s*[-–—+&]\s*(?<to>\d{1,9}(?:\.\d{1,4})?))?$/iu;

/** Returns undefined if the text is not a position. */
export function parseSeriesPosition(text: string): SeriesPosition | undefined {
  const match = POSITION.exec(text.trim().replace(/^#\s*/, ''))?.groups;
  if (match === undefined) return undefined;
  const from = Number(match['from']);
  const to = match['to'] === undefined ? from : Number(match['to']);
  if (to < from) return undefined;
  const suffix = (match['suffix'] ?? '').toLowerCase();
  return { text: to === from ? `${from}${suffix}` : `${from}-${to}`, from, to, suffix };
}

const NONE = '~';
const OFFSET = 10_000_000_000;

/**
 * Returns a key that sorts books by their position when compared byte by byte. For negative positions (prequels), the
 * key contains the complement of the digits.
 */
export function seriesSortKey(text: string | undefined): string {
  const position = text === undefined ? undefined : parseSeriesPosition(text);
  if (position === undefined) return NONE;
  const { from, to, suffix } = position;
  const range = to === from ? '' : `-${number(to)}`;
  return `${number(from)}${suffix}${range}`;
}

function number(value: number): string {
  const sign = value < 0 ? '-' : '0';
  const magnitude = value < 0 ? OFFSET + value : value;
  const [whole = '0', decimals = '0000'] = magnitude.toFixed(4).split('.');
  return `${sign}${whole.padStart(10, '0')}.${decimals}`;
}

/** Returns the whole numbers, from 1 to the last position, at which the series has no book. */
export function missingPositions(texts: readonly (string | undefined)[]): readonly number[] {
  const covered = new Set<number>();
  let last = 0;
  for (const text of texts) {
    const position = text === undefined ? undefined : parseSeriesPosition(text);
    // A number this large is probably a year in the wrong field.
    if (position === undefined || position.to > 1_000) continue;
    for (let at = Math.ceil(position.from); at <= position.to; at++) covered.add(at);
    last = Math.max(last, Math.floor(position.to));
  }
  return Array.from({ length: last }, (_, index) => index + 1).filter((at) => !covered.has(at));
}
