/** Position of the front matter; all numbers are offsets in the text. */
export interface FrontMatter {
  /** The YAML between the fences, with the newline before the closing fence. */
  readonly start: number;
  readonly end: number;
  /** Start of the text after the front matter. */
  readonly body: number;
  /** Newline of the opening fence; new lines use the same. */
  readonly newline: '\n' | '\r\n';
}

const OPENING = /^\uFEFF?---[ \t]*(\r?\n)/u;
const CLOSING = /^\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/u;
/** Maximum length of a closing fence with trailing spaces. */
const FENCE_MAX = 80;

/** Front matter is YAML between two lines of `---` at the start. A single such line is a horizontal rule. */
export function findFrontMatter(text: string): FrontMatter | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const newline = opening[1] === '\r\n' ? '\r\n' : '\n';
  // The newline of the opening fence may also be the one before the closing fence.
  for (let at = start - 1; at >= 0; at = text.indexOf('\n', at + 1)) {
    const second = text[at + 1];
    if (second !== '-' && second !== '.') continue;
    const closing = CLOSING.exec(text.slice(at, at + FENCE_MAX));
    if (closing !== null) return { start, end: at + 1, body: at + closing[0].length, newline };
  }
  return undefined;
}
