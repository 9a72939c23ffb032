/**
 * Splits a command line into tokens: `--title x`, `--title=x`, `-t x`, `-tx`, `-ab` for `-a -b`, and everything after
 * `--` unchanged.
 *
 * Replaces parseArgs of node:util, which takes a millisecond to load and would need more code to adapt than this file
 * has. A test compares the two.
 */
import type { OptionSpec, OptionSpecs } from '../spec/option.ts';
import { optionFlags } from './names.ts';

export interface OptionToken {
  readonly kind: 'option';
  /** As written: `--title` or `-t`. */
  readonly flag: string;
  /** Name in the specs; undefined for an unknown option. */
  readonly name: string | undefined;
  /** Undefined for a boolean option, and for an option at the end of the line without a value. */
  readonly value: string | undefined;
  /** True if written as `--title=x`, which makes the value unambiguous. */
  readonly isAttached: boolean;
}

interface ArgumentToken {
  readonly kind: 'argument';
  readonly value: string;
  readonly index: number;
}

export type Token = OptionToken | ArgumentToken;

interface KnownOption {
  readonly name: string;
  readonly spec: OptionSpec;
}

export function tokenize(words: readonly string[], options: OptionSpecs): readonly Token[] {
  const known = optionsByFlag(options);
  const tokens: Token[] = [];
  let hasOptionsEnded = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (hasOptionsEnded || word === '-' || !word.startsWith('-')) {
      tokens.push({ kind: 'argument', value: word, index });
    } else if (word === '--') {
      hasOptionsEnded = true;
    } else {
      const read = word.startsWith('--')
        ? readLong(word, words[index + 1], known)
        : readShort(word, words[index + 1], known);
      tokens.push(...read);
      const last = read.at(-1);
      if (last?.value !== undefined && !last.isAttached) index += 1;
    }
  }
  return tokens;
}

function readLong(word: string, next: string | undefined, known: ReadonlyMap<string, KnownOption>): OptionToken[] {
  // An option name has at least one character, so an `=` right after `--`, as in `--=x`, does not end the name.
  const equals = word.indexOf('=', 3);
  const flag = equals < 0 ? word : word.slice(0, equals);
  const option = known.get(flag);
  const attached = equals < 0 ? undefined : word.slice(equals + 1);
  return [optionToken(flag, option, attached, next)];
}

function readShort(word: string, next: string | undefined, known: ReadonlyMap<string, KnownOption>): OptionToken[] {
  const tokens: OptionToken[] = [];
  for (let position = 1; position < word.length; position += 1) {
    const flag = `-${word.charAt(position)}`;
    const option = known.get(flag);
    if (option !== undefined && takesValue(option)) {
      const rest = word.slice(position + 1);
      return [...tokens, optionToken(flag, option, rest === '' ? undefined : rest, next)];
    }
    tokens.push(optionToken(flag, option, undefined, undefined));
  }
  return tokens;
}

function optionToken(
  flag: string,
  option: KnownOption | undefined,
  attached: string | undefined,
  next: string | undefined,
): OptionToken {
  const value = attached ?? (option !== undefined && takesNext(option, next) ? next : undefined);
  return { kind: 'option', flag, name: option?.name, value, isAttached: attached !== undefined };
}

function takesNext(option: KnownOption, next: string | undefined): boolean {
  const isBare = option.spec.bare !== undefined && next?.startsWith('-') === true;
  return takesValue(option) && !isBare;
}

function takesValue({ spec }: KnownOption): boolean {
  return spec.type !== 'boolean';
}

function optionsByFlag(options: OptionSpecs): ReadonlyMap<string, KnownOption> {
  const known = new Map<string, KnownOption>();
  for (const [name, spec] of Object.entries(options)) {
    for (const flag of optionFlags(name, spec)) known.set(flag, { name, spec });
  }
  return known;
}
