import { displayWidth, takeColumns } from '@holdfast/cli';
import type { TerminalSession } from '../adapters/terminal.ts';

export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'inverse';

export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Span[];

const CODE_BY_STYLE: Readonly<Record<Style, string>> = {
  plain: '',
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  cyan: '36',
  inverse: '7',
};

export function span(text: string, style: Style = 'plain'): Span {
  return { text: clean(text), style };
}

export function lineWidth(line: Line): number {
  return line.reduce((width, { text }) => width + displayWidth(text), 0);
}

/** Truncates with an ellipsis, or pads with spaces in the style of the last span. */
export function fitted(line: Line, columns: number): Line {
  const width = lineWidth(line);
  if (width <= columns) {
    const padding = ' '.repeat(columns - width);
    return padding === '' ? line : [...line, { text: padding, style: fillStyle(line) }];
  }
  const kept: Span[] = [];
  let left = columns - 1;
  for (const { text, style } of line) {
    const piece = takeColumns(text, left);
    kept.push({ text: piece, style });
    left -= displayWidth(piece);
    if (piece !== text) break;
  }
  return fitted([...kept, { text: '…', style: kept.at(-1)?.style ?? 'plain' }], columns);
}

/** Wraps a text at spaces, and within words that are wider than the line. */
export function wrapped(text: string, columns: number): readonly string[] {
  return text.split(/\r?\n/u).flatMap((paragraph) => wrapParagraph(clean(paragraph), Math.max(columns, 2)));
}

function wrapParagraph(paragraph: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (displayWidth(line) > columns) {
      const piece = takeColumns(line, columns);
      lines.push(piece);
      line = line.slice(piece.length);
    }
  }
  return [...lines, line];
}

/** Without colours, keeps bold, dim and inverse. */
export function toAnsi(line: Line, useColour: boolean): string {
  const parts = line.map(({ text, style }) => {
    const isColour = style === 'red' || style === 'green' || style === 'yellow' || style === 'cyan';
    const code = isColour && !useColour ? '' : CODE_BY_STYLE[style];
    return code === '' ? text : `\u001b[${code}m${text}\u001b[0m`;
  });
  return parts.join('');
}

function fillStyle(line: Line): Style {
  return line.at(-1)?.style === 'inverse' ? 'inverse' : 'plain';
}

/** Replaces line breaks, control characters and bidirectional marks. */
function clean(text: string): string {
  return text
    .replaceAll(/[\r\n\t\v\f]+/gu, ' ')
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';

/** The alternate screen. Redraws only changed lines, as one synchronized update. Restores the terminal at most once. */
export class Screen {
  readonly #terminal: Pick<TerminalSession, 'write'>;
  readonly #useColour: boolean;
  #shown: readonly string[] = [];
  #isEntered = false;

  constructor(terminal: Pick<TerminalSession, 'write'>, useColour: boolean) {
    this.#terminal = terminal;
    this.#useColour = useColour;
  }

  enter(): void {
    if (this.#isEntered) return;
    this.#isEntered = true;
    this.#shown = [];
    this.#terminal.write(ENTER);
  }

  leave(): void {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#terminal.write(LEAVE);
  }

  /** Forces a full redraw, after a resize or after output from another program. */
  invalidate(): void {
    this.#shown = [];
    if (this.#isEntered) this.#terminal.write('\u001b[2J');
  }

  draw(lines: readonly Line[]): void {
    if (!this.#isEntered) return;
    const rendered = lines.map((line) => toAnsi(line, this.#useColour));
    // Every line fills the width of the screen, so it overwrites the old line completely.
    const changes = rendered.flatMap((text, row) => (text === this.#shown[row] ? [] : [`\u001b[${row + 1};1H${text}`]));
    this.#shown = rendered;
    if (changes.length > 0) this.#terminal.write(`${BEGIN_UPDATE}${changes.join('')}${END_UPDATE}`);
  }
}
