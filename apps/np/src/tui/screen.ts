import { type Line, toAnsi } from './span.ts';

export interface Terminal {
  readonly columns: number;
  readonly rows: number;
  readonly write: (data: string) => void;
}

const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J';
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l';
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';

/**
 * The alternate screen. Redraws only changed lines, as one synchronized update, and restores the terminal exactly
 * once on every way out.
 */
export class Screen {
  readonly #terminal: Terminal;
  readonly #useColour: boolean;
  #shown: readonly string[] = [];
  #isEntered = false;

  constructor(terminal: Terminal, useColour: boolean) {
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

  /** Forces a full redraw, after a resize or output of another program. */
  invalidate(): void {
    this.#shown = [];
    if (this.#isEntered) this.#terminal.write('\u001b[2J');
  }

  draw(lines: readonly Line[]): void {
    if (!this.#isEntered) return;
    const rendered = lines.map((line) => toAnsi(line, this.#useColour));
    // Every line fills the width of the screen and so overwrites the old one.
    const changes = rendered.flatMap((text, row) => (text === this.#shown[row] ? [] : [`\u001b[${row + 1};1H${text}`]));
    this.#shown = rendered;
    if (changes.length > 0) this.#terminal.write(`${BEGIN_UPDATE}${changes.join('')}${END_UPDATE}`);
  }
}
