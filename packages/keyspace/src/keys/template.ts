import { keyspaceErrors } from '../errors.ts';
import { type HoleCodec, holeCodec, type HoleValue } from './holes.ts';
import { prefixSuccessor } from './order.ts';

/**
 * A readable key with holes: `s/{sid}/task/{id}`. Builds and parses keys, and computes the range of keys that share the
 * values of the leading holes.
 */

export type KeyValues = Readonly<Record<string, HoleValue>>;

export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
}

interface Hole {
  readonly name: string;
  readonly codec: HoleCodec;
  /** Literal text up to the next hole or the end. */
  readonly after: string;
}

const holePattern = /\{([A-Za-z_][A-Za-z0-9_]*)(?::([a-z0-9]+))?\}/g;

export class Template {
  readonly source: string;
  readonly holeNames: readonly string[];
  readonly #start: string;
  readonly #holes: readonly Hole[];
  readonly #pattern: RegExp;

  constructor(source: string) {
    this.source = source;
    const matches = [...source.matchAll(holePattern)];
    this.#start = source.slice(0, matches[0]?.index ?? source.length);
    this.#holes = matches.map((match, index) => ({
      name: match[1] as string,
      codec: holeCodec(match[1] as string, match[2]),
      after: source.slice(match.index + match[0].length, matches[index + 1]?.index ?? source.length),
    }));
    this.holeNames = this.#holes.map(({ name }) => name);
    this.#checkSource();
    const body = this.#holes.map(({ after }) => `([^/:]+)${escapeRegExp(after)}`).join('');
    this.#pattern = new RegExp(`^${escapeRegExp(this.#start)}${body}$`, 'u');
  }

  /** Returns the key; every hole must have a value. */
  encode(values: Readonly<Record<string, unknown>>): string {
    let key = this.#start;
    for (const { name, codec, after } of this.#holes) key += codec.encode(values[name]) + after;
    return key;
  }

  /** Returns the values in a key; undefined if the key does not match. */
  decode(key: string): KeyValues | undefined {
    const match = this.#pattern.exec(key);
    if (match === null) return undefined;
    const values: Record<string, HoleValue> = {};
    for (const [index, { name, codec }] of this.#holes.entries()) {
      const encoded = match[index + 1] as string;
      const value = codec.decode(encoded);
      // Shortened text cannot be decoded, so its encoded form is returned.
      if (value === undefined && codec.kind !== 'text') return undefined;
      values[name] = value ?? encoded;
    }
    return values;
  }

  matches(key: string): boolean {
    return this.#pattern.test(key);
  }

  /** Returns the longest common prefix of all keys with these leading values. */
  prefix(leading: Readonly<Record<string, unknown>>): string {
    let prefix = this.#start;
    let open: string | undefined;
    for (const { name, codec, after } of this.#holes) {
      const value = leading[name];
      if (value === undefined) {
        open ??= name;
      } else if (open === undefined) {
        prefix += codec.encode(value) + after;
      } else {
        throw keyspaceErrors.KEY_INVALID(`{${name}} of ${this.source} requires {${open}} as well`);
      }
    }
    return prefix;
  }

  /** Returns the first hole without a value: `start` and `end` of a scan apply to it. */
  nextHole(leading: Readonly<Record<string, unknown>>): HoleCodec | undefined {
    return this.#holes.find(({ name }) => leading[name] === undefined)?.codec;
  }

  range(leading: Readonly<Record<string, unknown>>): KeyRange {
    const prefix = this.prefix(leading);
    if (prefix === '') return { gte: '', lt: '\u{10ffff}' };
    return { gte: prefix, lt: prefixSuccessor(prefix) };
  }

  #checkSource(): void {
    const literals = [this.#start, ...this.#holes.map(({ after }) => after)].join('');
    if (/[{}%~]/.test(literals)) throw new TypeError(`The template ${this.source} has an invalid hole`);
    if (new Set(this.holeNames).size !== this.holeNames.length) {
      throw new TypeError(`The template ${this.source} names a hole twice`);
    }
    for (const [index, { after }] of this.#holes.entries()) {
      const isLast = index === this.#holes.length - 1;
      if (after === '' ? !isLast : !/^[/:]/.test(after)) {
        throw new TypeError(`In ${this.source}, every hole must be followed by / or :, or be at the end`);
      }
    }
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
