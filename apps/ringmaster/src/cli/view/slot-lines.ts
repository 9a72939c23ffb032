import type { RunEvent } from '../../service/run/supervisor.ts';

const UP = (lines: number): string => (lines === 0 ? '' : `\u001b[${lines}A`);
const ERASE_BELOW = '\r\u001b[J';
const COLUMNS_DEFAULT = 80;
const REDRAW_INTERVAL_MS = 100;

interface Terminal {
  readonly write: (text: string) => void;
  readonly columns: number | undefined;
}

interface Line {
  readonly head: string;
  readonly text: string;
}

/** Prints one line per slot at the bottom of a terminal, with the last output of its worker. Messages scroll above. */
export class SlotLines {
  readonly #terminal: Terminal;
  readonly #slots = new Map<number, Line>();
  #drawn = 0;
  #drawnAt = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  tell({ kind, slot, task, worker, text }: RunEvent): void {
    if (slot === undefined || kind === 'ended' || kind === 'problem' || kind === 'lost') {
      this.#above([task, worker].filter((word) => word !== undefined).join(' '), text);
    }
    if (slot === undefined) return;
    if (kind === 'ended' || kind === 'lost') this.#slots.delete(slot);
    else {
      const before = this.#slots.get(slot);
      const last = text.trimEnd().split('\n').at(-1) ?? '';
      // Output events do not name the worker, so the head of the slot's previous event is kept.
      const head =
        worker === undefined && before !== undefined ? before.head : `[${slot}] ${task ?? ''} ${worker ?? ''}`;
      this.#slots.set(slot, { head: head.trimEnd(), text: last === '' ? (before?.text ?? '') : last });
    }
    if (kind === 'output' && performance.now() - this.#drawnAt < REDRAW_INTERVAL_MS) return;
    this.#draw();
  }

  finish(): void {
    this.#terminal.write(UP(this.#drawn) + ERASE_BELOW);
    this.#drawn = 0;
  }

  #above(what: string, text: string): void {
    this.finish();
    this.#terminal.write(`${visible(what === '' ? text : `${what}: ${text}`)}\n`);
    this.#draw();
  }

  #draw(): void {
    // A terminal of unknown width reports 0.
    const columns = (this.#terminal.columns || COLUMNS_DEFAULT) - 1;
    const lines = [...this.#slots.entries()].sort(([left], [right]) => left - right).map(([, line]) => line);
    const rows = lines.map(({ head, text }) => visible(`${head}  ${text}`).slice(0, columns));
    this.#terminal.write(`${UP(this.#drawn)}${ERASE_BELOW}${rows.map((row) => `${row}\n`).join('')}`);
    this.#drawn = rows.length;
    this.#drawnAt = performance.now();
  }
}

/** Worker output must not move the cursor. */
function visible(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
