import { keyspaceErrors } from '../errors.ts';
import { decodeText, encodeText } from './escape.ts';

/**
 * The kinds of placeholders in a key template. Numbers and times have a fixed width, so key order is value order.
 *
 * | placeholder | value | in the key |
 * |---|---|---|
 * | `{name}` | string | escaped text |
 * | `{name:u64}`, `{seq}` | number | 16 hexadecimal digits of a big-endian unsigned 64-bit integer |
 * | `{name:ns}`, `{ts}` | bigint, nanoseconds since 1970 | 16 hexadecimal digits |
 * | `{name:d6}` | number | 6 decimal digits, zero-padded |
 */
export interface PlaceholderCodec {
  readonly kind: string;
  encode(value: unknown): string;
  /** Returns the value, or undefined if the text is not of this kind. */
  decode(text: string): PlaceholderValue | undefined;
}

export type PlaceholderValue = string | number | bigint;

const U64_DIGITS = 16;
const U64_MAX = 0xffff_ffff_ffff_ffffn;

const textCodec: PlaceholderCodec = {
  kind: 'text',
  encode(value) {
    if (typeof value === 'string') return encodeText(value);
    throw keyspaceErrors.KEY_INVALID(`A key needs text here, not ${describe(value)}`);
  },
  decode: decodeText,
};

const u64Codec: PlaceholderCodec = {
  kind: 'u64',
  encode(value) {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      return value.toString(16).padStart(U64_DIGITS, '0');
    }
    throw keyspaceErrors.KEY_INVALID(`A key needs a whole number from 0 to 2^53 here, not ${describe(value)}`);
  },
  decode: (text) => (isHex64(text) ? Number.parseInt(text, 16) : undefined),
};

const nanosecondsCodec: PlaceholderCodec = {
  kind: 'ns',
  encode(value) {
    if (typeof value === 'bigint' && value >= 0n && value <= U64_MAX)
      return value.toString(16).padStart(U64_DIGITS, '0');
    throw keyspaceErrors.KEY_INVALID(`A key needs nanoseconds as a bigint here, not ${describe(value)}`);
  },
  decode: (text) => (isHex64(text) ? BigInt(`0x${text}`) : undefined),
};

function decimalCodec(digits: number): PlaceholderCodec {
  const limit = 10 ** digits;
  const pattern = new RegExp(`^[0-9]{${digits}}$`);
  return {
    kind: `d${digits}`,
    encode(value) {
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < limit) {
        return String(value).padStart(digits, '0');
      }
      throw keyspaceErrors.KEY_INVALID(`A key needs a whole number below ${limit} here, not ${describe(value)}`);
    },
    decode: (text) => (pattern.test(text) ? Number(text) : undefined),
  };
}

const kindByName: Readonly<Record<string, string>> = { seq: 'u64', ts: 'ns' };

export function placeholderCodec(name: string, kind: string | undefined): PlaceholderCodec {
  const chosen = kind ?? kindByName[name] ?? 'text';
  if (chosen === 'text') return textCodec;
  if (chosen === 'u64') return u64Codec;
  if (chosen === 'ns') return nanosecondsCodec;
  const digits = /^d(1[0-5]|[1-9])$/.exec(chosen)?.[1];
  if (digits !== undefined) return decimalCodec(Number(digits));
  throw new TypeError(`Unknown kind of placeholder "${chosen}" in {${name}:${chosen}}: use text, u64, ns or d1 to d15`);
}

function isHex64(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

function describe(value: unknown): string {
  return value === undefined ? 'nothing' : `${typeof value} ${JSON.stringify(value, bigintAsText).slice(0, 40)}`;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
