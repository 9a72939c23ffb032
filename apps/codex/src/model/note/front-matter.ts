/** Where the properties of a note stand in its text. All numbers are offsets in the text. */
export interface FrontMatter {
  /** The YAML between the fences, with the line end before the closing fence. */
  readonly start: number;
  readonly end: number;
  /** Where the note itself begins. */
  readonly body: number;
  /** As the opening fence ends, which is how new lines have to end. */
  readonly newline: '\n' | '\r\n';
}

const OPENING = /^\uFEFF?---[ \t]*(\r?\n)/u;
const CLOSING = /^\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/u;
/** A closing fence with blanks after it is at most this long; more is no fence. */
const FENCE_MAX = 80;

/**
 * A note may begin with properties between two lines of `---`. One that only begins with such a line has none: it is a
 * rule across the page.
 */
export function findFrontMatter(text: string): FrontMatter | undefined {
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const start = opening[0].length;
  const newline = opening[1] === '\r\n' ? '\r\n' : '\n';
  // The line end of the opening fence may be that before the closing one.
  for (let at = start - 1; at >= 0; at = text.indexOf('\n', at + 1)) {
    const second = text[at + 1];
    if (second !== '-' && second !== '.') continue;
    const closing = CLOSING.exec(text.slice(at, at + FENCE_MAX));
    if (closing !== null) return { start, end: at + 1, body: at + closing[0].length, newline };
  }
  return undefined;
}
