import { keyspaceErrors } from '../errors.ts';
import { type PlaceholderCodec, placeholderCodec, type PlaceholderValue } from './placeholders.ts';
import { prefixSuccessor } from './order.ts';

/**
 * A readable key with placeholders: `s/{sid}/task/{id}`. Builds and parses keys. Also computes the range of keys that
 * share the values of the leading placeholders.
 */

export type KeyValues = Readonly<Record<string, PlaceholderValue>>;

export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
}

interface Placeholder {
  readonly name: string;
  readonly codec: PlaceholderCodec;
  /** Literal text up to the next placeholder or the end. */
  readonly after: string;
}

const placeholderPattern = /\{([A-Za-z_][A-Za-z0-9_]*)(?::([a-z0-9]+))?\}/g;

export class Template {
  readonly source: string;
  readonly placeholderNames: readonly string[];
  readonly #start: string;
  readonly #placeholders: readonly Placeholder[];
  #compiled: RegExp | undefined;

  constructor(source: string) {
    this.source = source;
    const matches = [...source.matchAll(placeholderPattern)];
    this.#start = source.slice(0, matches[0]?.index ?? source.length);
    this.#placeholders = matches.map((match, index) => ({
      name: match[1] as string,
      codec: placeholderCodec(match[1] as string, match[2]),
      after: source.slice(match.index + match[0].length, matches[index + 1]?.index ?? source.length),
    }));
    this.placeholderNames = this.#placeholders.map(({ name }) => name);
    this.#checkSource();
  }

  /** Compiled on first use, because a command defines all templates of its application but uses only a few. */
  get #pattern(): RegExp {
    const body = (): string => this.#placeholders.map(({ after }) => `([^/:]+)${escapeRegExp(after)}`).join('');
    return (this.#compiled ??= new RegExp(`^${escapeRegExp(this.#start)}${body()}$`, 'u'));
  }

  /** Returns the key; every placeholder must have a value. */
  encode(values: Readonly<Record<string, unknown>>): string {
    let key = this.#start;
    for (const { name, codec, after } of this.#placeholders) key += codec.encode(values[name]) + after;
    return key;
  }

  /** Returns the values in a key; undefined if the key does not match. */
  decode(key: string): KeyValues | undefined {
    const match = this.#pattern.exec(key);
    if (match === null) return undefined;
    const values: Record<string, PlaceholderValue> = {};
    for (const [index, { name, codec }] of this.#placeholders.entries()) {
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
    for (const { name, codec, after } of this.#placeholders) {
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

  /** Returns the first placeholder without a value; a scan's `start` and `end` apply to this placeholder. */
  nextPlaceholder(leading: Readonly<Record<string, unknown>>): PlaceholderCodec | undefined {
    return this.#placeholders.find(({ name }) => leading[name] === undefined)?.codec;
  }

  range(leading: Readonly<Record<string, unknown>>): KeyRange {
    const prefix = this.prefix(leading);
    if (prefix === '') return { gte: '', lt: '\u{10ffff}' };
    return { gte: prefix, lt: prefixSuccessor(prefix) };
  }

  #checkSource(): void {
    const literals = [this.#start, ...this.#placeholders.map(({ after }) => after)].join('');
    if (/[{}%~]/.test(literals)) throw new TypeError(`The template ${this.source} has an invalid placeholder`);
    if (new Set(this.placeholderNames).size !== this.placeholderNames.length) {
      throw new TypeError(`The template ${this.source} names a placeholder twice`);
    }
    for (const [index, { after }] of this.#placeholders.entries()) {
      const isLast = index === this.#placeholders.length - 1;
      if (after === '' ? !isLast : !(after.startsWith('/') || after.startsWith(':'))) {
        throw new TypeError(`In ${this.source}, every placeholder must be followed by / or :, or be at the end`);
      }
    }
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
