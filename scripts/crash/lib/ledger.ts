import { existsSync, readFileSync } from 'node:fs';

/** What one writer started and was told, from its file. */
export class Ledger {
  readonly name: string;
  readonly file: string;
  readonly started = new Set<string>();
  readonly acknowledged = new Map<string, number>();
  readonly #next: number[];
  #read = 0;

  constructor(name: string, file: string, lanes: number) {
    this.name = name;
    this.file = file;
    this.#next = Array.from({ length: lanes }, () => 1);
  }

  /** Next number of each lane. */
  get nextNumbers(): readonly number[] {
    return this.#next;
  }

  /** Reads new lines. A killed writer can leave half a line, which is ignored. */
  update(): void {
    if (!existsSync(this.file)) return;
    const bytes = readFileSync(this.file);
    const text = bytes.subarray(this.#read).toString();
    this.#read = bytes.length;
    for (const line of text.split('\n')) this.#note(line);
  }

  /** Drops checked entries. */
  forget(): void {
    this.started.clear();
    this.acknowledged.clear();
  }

  #note(line: string): void {
    const [what, lane, n, revision] = line.split(' ');
    if (n === undefined) return;
    const id = `${this.name}.${lane}.${n}`;
    if (what === 's') {
      this.started.add(id);
      this.#next[Number(lane)] = Number(n) + 1;
    } else if (revision !== undefined) {
      this.acknowledged.set(id, Number(revision));
    }
  }
}
