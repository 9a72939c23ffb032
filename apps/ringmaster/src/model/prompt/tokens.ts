/**
 * Estimates the tokens of a text: one per four ASCII characters, and 0.75 per other character. Models count
 * differently, so the estimate is on the high side.
 */
const PLAIN_PER_TOKEN = 4;
const TOKENS_PER_OTHER = 0.75;

export function tokensOf(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) other += 1;
  return Math.ceil((text.length - other) / PLAIN_PER_TOKEN + other * TOKENS_PER_OTHER);
}

export type Keep = 'beginning' | 'end';

export interface Cut {
  readonly text: string;
  readonly isCut: boolean;
}

/** Keeps as many whole lines as fit, from the start or the end, and adds a line with the number of missing lines. */
export function cutToTokens(text: string, max: number, keep: Keep = 'beginning'): Cut {
  if (tokensOf(text) <= max) return { text, isCut: false };
  const lines = text.split('\n');
  const mark = (left: number): string => `[… ${left} of ${lines.length} lines left out]`;
  let room = max - tokensOf(mark(lines.length)) - 1;
  const kept: string[] = [];
  for (const line of keep === 'beginning' ? lines : lines.toReversed()) {
    room -= tokensOf(`${line}\n`);
    if (room < 0) break;
    kept.push(line);
  }
  if (kept.length === 0) return { text: max < tokensOf(mark(lines.length)) ? '' : mark(lines.length), isCut: true };
  const missing = mark(lines.length - kept.length);
  const parts = keep === 'beginning' ? [...kept, missing] : [missing, ...kept.toReversed()];
  return { text: parts.join('\n'), isCut: true };
}

const LINES_AROUND = 8;

/**
 * Returns the relevant parts of a file: lines with the task's words and the lines around them, as many as fit. Returns
 * the whole file if it fits.
 */
export function excerptOf(
  text: string,
  terms: ReadonlySet<string>,
  max: number,
): { readonly text: string; readonly isCut: boolean } {
  if (tokensOf(text) <= max) return { text, isCut: false };
  const lines = text.split('\n');
  const hits = lines.map((line) => hitsIn(line, terms));
  const best = hits
    .map((count, index) => ({ count, index }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count || left.index - right.index);
  if (best.length === 0) return cutToTokens(text, max);
  const chosen = new Set<number>();
  let room = max;
  for (const { index } of best) {
    const around = range(Math.max(0, index - LINES_AROUND), Math.min(lines.length, index + LINES_AROUND + 1));
    const added = around.filter((line) => !chosen.has(line));
    const cost = tokensOf(added.map((line) => `${lines[line]}\n`).join('')) + 8;
    if (cost > room) continue;
    room -= cost;
    for (const line of added) chosen.add(line);
  }
  return chosen.size === 0 ? cutToTokens(text, max) : { text: joined(lines, chosen), isCut: true };
}

function hitsIn(line: string, terms: ReadonlySet<string>): number {
  const lower = line.toLowerCase();
  let count = 0;
  for (const term of terms) if (lower.includes(term)) count += 1;
  return count;
}

/** Joins the chosen lines, with a mark where lines are missing. */
function joined(lines: readonly string[], chosen: ReadonlySet<number>): string {
  const parts: string[] = [];
  let missing = 0;
  for (const [index, line] of lines.entries()) {
    if (!chosen.has(index)) {
      missing += 1;
      continue;
    }
    if (missing > 0) parts.push(`[… ${missing} lines]`);
    missing = 0;
    parts.push(line);
  }
  if (missing > 0) parts.push(`[… ${missing} lines]`);
  return parts.join('\n');
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
