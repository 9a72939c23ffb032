import fc from 'fast-check';
import { expect, it } from 'vitest';

import { mergeLines } from '../text-file.ts';
import { begin, initialState, type Input, nextAction, type SaveState, step, type TextRules } from './save-machine.ts';

const rules: TextRules<string> = {
  same: (left, right) => left === right,
  merge: (base, mine, theirs) => mergeLines(base.split('\n'), mine.split('\n'), theirs.split('\n'))?.join('\n'),
};

/** Model of a server: versions by hash, conditional writes, and idempotent requests. */
class Server {
  readonly versions: string[];
  readonly #done = new Map<number, string>();

  constructor(text: string) {
    this.versions = [text];
  }

  get text(): string {
    return this.versions.at(-1) ?? '';
  }

  get hash(): string {
    return `#${this.text}`;
  }

  write(number: number, baseHash: string, text: string): string | undefined {
    const known = this.#done.get(number);
    if (known !== undefined) return known;
    if (baseHash !== this.hash) return undefined;
    this.versions.push(text);
    this.#done.set(number, `#${text}`);
    return `#${text}`;
  }

  change(text: string): void {
    this.versions.push(text);
  }
}

/** One step of the test. `choice` selects the line to change, or what happens to a response. */
type Move = readonly [kind: 'type' | 'outside' | 'work' | 'tell' | 'pass', choice: number];

/**
 * One page and other writers, which act in any order. Each keystroke is a unique word, so that none can be mistaken for
 * another.
 */
class World {
  readonly server = new Server(Array.from({ length: 8 }, (_, n) => `line ${n}`).join('\n'));
  readonly typed: string[] = [];
  readonly fromOutside: string[] = [];
  now = 0;
  state: SaveState<string> = initialState({ text: this.server.text, hash: this.server.hash });

  give(input: Input<string>): void {
    this.state = step(this.state, input, rules);
  }

  /** Adds a word to one of the lines. */
  static insert(text: string, word: string, at: number): string {
    const lines = text.split('\n');
    const line = at % lines.length;
    lines[line] = at % 3 === 0 ? `${word} ${lines[line]}` : `${lines[line]} ${word}`;
    return lines.join('\n');
  }

  move([kind, choice]: Move): void {
    if (kind === 'type') {
      const word = `mine${this.typed.length}`;
      this.typed.push(word);
      this.give({ type: 'typed', text: World.insert(this.state.text, word, choice), at: this.now });
    } else if (kind === 'outside') {
      const word = `theirs${this.fromOutside.length}`;
      this.fromOutside.push(word);
      this.server.change(World.insert(this.server.text, word, choice));
    } else if (kind === 'tell')
      this.give({ type: 'told', hash: choice % 2 === 0 ? this.server.hash : undefined, at: this.now });
    else if (kind === 'pass') this.now += choice * 100;
    else this.work(choice);
  }

  /** Carries out the next action. `choice` decides how the network behaves. */
  work(choice: number): void {
    const action = nextAction(this.state, this.now, rules);
    this.state = begin(this.state, action);
    if (action.type === 'wait') this.now = Math.max(this.now, action.until);
    if (action.type === 'read') this.read(choice);
    if (action.type === 'send') this.send(action.sending, choice);
  }

  send({ number, baseHash, text }: { number: number; baseHash: string; text: string }, choice: number): void {
    const unsure = {
      type: 'failed',
      failure: { error: 'cut', isTemporary: true },
      isUnsure: true,
      at: this.now,
    } as const;
    if (choice % 5 === 0) return this.give(unsure);
    // Typing continues while the request is running.
    if (choice % 2 === 0) this.move(['type', choice]);
    const hash = this.server.write(number, baseHash, text);
    if (choice % 5 === 1) return this.give(unsure);
    if (choice % 7 === 0) this.move(['outside', choice]);
    this.give(
      hash === undefined ? { type: 'refused', at: this.now } : { type: 'saved', hash, eventId: 1, at: this.now },
    );
  }

  read(choice: number): void {
    if (choice % 5 === 0) {
      this.give({ type: 'failed', failure: { error: 'cut', isTemporary: true }, isUnsure: false, at: this.now });
      return;
    }
    const version = { text: this.server.text, hash: this.server.hash };
    if (choice % 3 === 0) this.move(['type', choice]);
    if (choice % 7 === 0) this.move(['outside', choice]);
    this.give({ type: 'read', version, at: this.now });
  }

  /** Resolves a conflict by keeping both versions, one after the other. */
  decide(): void {
    const { conflict, text } = this.state;
    if (conflict !== undefined) this.give({ type: 'decided', text: `${text}\n${conflict.text}`, at: this.now });
  }

  settle(): void {
    for (let n = 0; n < 200; n++) {
      this.give({ type: 'told', hash: this.server.hash, at: this.now });
      if (n % 4 === 3) this.decide();
      this.work(CALM);
      if (nextAction(this.state, this.now, rules).type === 'rest' && this.state.text === this.server.text) return;
    }
    throw new Error('it does not come to rest');
  }
}

/** A `choice` with which every request succeeds and nobody types or writes during the request. */
const CALM = 23;

const moves = fc.array(
  fc.tuple(fc.constantFrom('type', 'outside', 'work', 'work', 'work', 'tell', 'pass'), fc.nat(1_000)),
  { maxLength: 60 },
);

it('loses no keystroke and no change of anybody else, whatever happens in whatever order', () => {
  fc.assert(
    fc.property(moves, (all) => {
      const world = new World();
      for (const move of all) world.move(move);
      world.settle();
      const words = new Set(world.server.text.split(/\s/u));
      expect([...world.typed, ...world.fromOutside].filter((word) => !words.has(word))).toEqual([]);
      expect(world.state.text).toBe(world.server.text);
    }),
    { numRuns: 1_500 },
  );
});
