import { stripVTControlCharacters } from 'node:util';

/**
 * Cleans a worker's output: removes colours, cursor movements and other control characters. Keeps only the last version
 * of a line that was redrawn with carriage returns.
 */
const controls = new RegExp(String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f]`, 'g');

export function cleanLine(line: string): string {
  const drawn = stripVTControlCharacters(line).split('\r');
  return (drawn.findLast((part) => part !== '') ?? '').replaceAll(controls, '');
}

/** Longer lines are split, at a space if possible, to bound memory. */
const LINE_CHARACTERS_MAX = 64 * 1024;

/** Splits a byte stream into lines. Chunks may end inside a character. */
export class LineCutter {
  readonly #decoder = new TextDecoder('utf-8');
  #rest = '';

  push(chunk: Uint8Array): string[] {
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    while (this.#rest.length > LINE_CHARACTERS_MAX) {
      const blank = this.#rest.lastIndexOf(' ', LINE_CHARACTERS_MAX);
      const at = blank > 0 ? blank : LINE_CHARACTERS_MAX;
      lines.push(this.#rest.slice(0, at));
      this.#rest = this.#rest.slice(at);
    }
    return lines;
  }

  end(): string[] {
    const last = this.#rest + this.#decoder.decode();
    this.#rest = '';
    return last === '' ? [] : [last];
  }
}
