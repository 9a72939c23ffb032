/**
 * Estimated tokens of a text. Models count differently, so this errs on the high side: four plain characters per token,
 * and more for everything else.
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

/** As many whole lines as fit, from the start or the end, plus a line that says how many are missing. */
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
