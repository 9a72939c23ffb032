import { cleanLine, LineCutter } from './clean-text.ts';
import type { Redactor } from './redact.ts';

/** Bytes kept from the end of the output, where a worker reports its result. */
const TAIL_BYTES = 64 * 1024;

/** Once the raw output exceeds this multiple of the cap, the rest is not logged, even if the log has room. */
const DIRT_FACTOR = 8;

export type Source = 'out' | 'err';

interface Stream {
  readonly lines: LineCutter;
  readonly tail: TailRing;
}

/**
 * Turns a worker's output into its log: cleaned, without secrets, and limited to the cap. Keeps the beginning and the
 * end of longer output, in constant memory.
 */
export class CappedOutput {
  readonly #redact: Redactor;
  readonly #headBytes: number;
  readonly #streams: Readonly<Record<Source, Stream>>;
  #seen = 0;
  #written = 0;
  #isFull = false;

  constructor({ capBytes, redact }: { readonly capBytes: number; readonly redact: Redactor }) {
    this.#redact = redact;
    const tail = Math.min(TAIL_BYTES, Math.floor(capBytes / 4));
    this.#headBytes = capBytes - 2 * tail;
    const stream = (): Stream => ({ lines: new LineCutter(), tail: new TailRing(tail) });
    this.#streams = { out: stream(), err: stream() };
  }

  get bytesSeen(): number {
    return this.#seen;
  }

  /** Returns text to append to the log now. */
  push(chunk: Uint8Array, source: Source): string {
    const { lines, tail } = this.#streams[source];
    tail.push(chunk);
    this.#seen += chunk.length;
    // Stops logging here, because cleaning takes time, and output that is mostly control characters would never fill
    // the log.
    this.#isFull ||= this.#seen > DIRT_FACTOR * this.#headBytes;
    return this.#isFull ? '' : this.#take(lines.push(chunk));
  }

  /** Returns text to append when the output has ended. */
  end(): string {
    const { out, err } = this.#streams;
    const rest = this.#isFull ? '' : this.#take([...out.lines.end(), ...err.lines.end()]);
    if (!this.#isFull) return rest;
    const ends = [...this.lastLines('out'), ...this.lastLines('err')];
    return `${rest}[… the middle of ${this.#seen} bytes is left out; the last lines follow …]\n${ends.join('\n')}\n`;
  }

  /** Returns the last lines, cleaned and redacted, even if they are not in the log. */
  lastLines(source: Source): string[] {
    const cutter = new LineCutter();
    const { tail } = this.#streams[source];
    const lines = [...cutter.push(tail.bytes()), ...cutter.end()];
    // Drops the first line: it may be incomplete, and an incomplete secret is not recognised.
    if (tail.hasForgotten) lines.shift();
    return lines.map((line) => this.#redact(cleanLine(line)));
  }

  #take(lines: readonly string[]): string {
    let text = '';
    for (const line of lines) {
      const clean = `${this.#redact(cleanLine(line))}\n`;
      const bytes = Buffer.byteLength(clean);
      this.#isFull = this.#written + bytes > this.#headBytes;
      if (this.#isFull) return text;
      this.#written += bytes;
      text += clean;
    }
    return text;
  }
}

/** The last bytes of a stream in a ring buffer: byte n is at index n modulo the size. */
class TailRing {
  readonly #ring: Buffer;
  #seen = 0;

  constructor(size: number) {
    this.#ring = Buffer.allocUnsafe(size);
  }

  get hasForgotten(): boolean {
    return this.#seen > this.#ring.length;
  }

  push(chunk: Uint8Array): void {
    const size = this.#ring.length;
    const last = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
    const at = (this.#seen + chunk.length - last.length) % size;
    const first = Math.min(last.length, size - at);
    this.#ring.set(last.subarray(0, first), at);
    this.#ring.set(last.subarray(first), 0);
    this.#seen += chunk.length;
  }

  bytes(): Buffer {
    if (!this.hasForgotten) return this.#ring.subarray(0, this.#seen);
    const at = this.#seen % this.#ring.length;
    return Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
  }
}
