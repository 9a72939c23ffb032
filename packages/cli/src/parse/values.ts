/** Converts tokens to the typed options and arguments of one command, or throws. */
import { closest } from '@holdfast/base';

import { commandLineErrors } from '../errors.ts';
import type { GivenOption } from '../spec/context.ts';
import type { ArgumentSpec, OptionSpec, OptionSpecs } from '../spec/option.ts';
import { argumentLabel, optionFlag, optionFlags } from './names.ts';
import type { OptionToken, Token } from './tokens.ts';

type Scalar = string | number | boolean;
type Values = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the options in the order given. `command` names the command in messages. */
export function givenOptions(tokens: readonly Token[], specs: OptionSpecs, command: string): readonly GivenOption[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'option') return [];
    const spec = token.name === undefined ? undefined : specs[token.name];
    if (token.name === undefined || spec === undefined) throw unknownOption(command, token.flag, specs);
    return [{ name: token.name, value: optionValue(token, spec, specs) }];
  });
}

export function optionValues(
  given: readonly GivenOption[],
  specs: OptionSpecs,
  env: Environment,
  command: string,
): Values {
  const values: Record<string, Scalar | readonly Scalar[] | undefined> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const words = given.filter((option) => option.name === name).map((option) => option.value);
    const found = words.length > 0 ? words : fallback(spec, env);
    if (found.length === 0 && spec.required === true) {
      const flag = optionFlag(name, spec);
      throw commandLineErrors.MISSING_OPTION(`"${command}" needs ${flag}.`, { hint: seeHelp(command) });
    }
    // The last value wins, so an option after a shell alias overrides the one in the alias.
    values[name] = spec.multiple === true ? found : found.at(-1);
  }
  return values;
}

export function argumentValues(tokens: readonly Token[], specs: readonly ArgumentSpec[], command: string): Values {
  const words = tokens.flatMap((token) => (token.kind === 'argument' ? [token.value] : []));
  const values: Record<string, Scalar | readonly Scalar[] | undefined> = {};
  let next = 0;
  for (const spec of specs) {
    const label = argumentLabel(spec);
    const taken = words.slice(next, spec.variadic === true ? undefined : next + 1);
    if (taken.length === 0 && spec.optional !== true) {
      throw commandLineErrors.MISSING_ARGUMENT(`"${command}" needs ${label}.`, { hint: seeHelp(command) });
    }
    next += taken.length;
    const converted = taken.map((word) => convertValue(word, spec, label));
    values[spec.name] = spec.variadic === true ? converted : converted[0];
  }
  const surplus = words[next];
  if (surplus !== undefined) {
    const message = `"${command}" takes ${specs.length === 0 ? 'no arguments' : 'no more arguments'}: "${surplus}".`;
    throw commandLineErrors.UNEXPECTED_ARGUMENT(message);
  }
  return values;
}

export function unknownOption(command: string, flag: string, specs: OptionSpecs): Error {
  const visible = Object.entries(specs).filter(([, spec]) => spec.hidden !== true);
  const flags = visible.flatMap(([name, spec]) => optionFlags(name, spec)).filter((known) => known.startsWith('--'));
  const meant = flag.startsWith('--') ? closest(flag, flags) : undefined;
  const dash = flag.startsWith('--') ? '' : ' Write -- before an argument that starts with -.';
  return commandLineErrors.UNKNOWN_OPTION(`"${command}" has no option ${flag}.`, {
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}${seeHelp(command)}${dash}`,
  });
}

function optionValue(token: OptionToken, spec: OptionSpec, specs: OptionSpecs): Scalar {
  if (spec.type === 'boolean') {
    if (token.value === undefined) return !isNegation(token, spec);
    throw commandLineErrors.UNEXPECTED_ARGUMENT(`${token.flag} takes no value: "${token.value}".`);
  }
  if (token.value === undefined && spec.bare !== undefined) return spec.bare;
  // `-t -d text` is a missing title (an empty variable in a script), not the title "-d".
  if (token.value === undefined || (!token.isAttached && isOption(token.value, specs))) {
    throw commandLineErrors.MISSING_VALUE(`${token.flag} needs a value.`);
  }
  return convertValue(token.value, spec, token.flag);
}

/** Returns true for `--no-color`, the negated form of the option `--color`. */
function isNegation(token: OptionToken, spec: OptionSpec): boolean {
  return spec.negatable === true && token.flag.startsWith('--no-');
}

function isOption(word: string, specs: OptionSpecs): boolean {
  if (word === '--') return true;
  return Object.entries(specs).some(([name, spec]) => optionFlags(name, spec).includes(word));
}

function fallback(spec: OptionSpec, env: Environment): readonly Scalar[] {
  const fromEnvironment = spec.env === undefined ? undefined : env[spec.env];
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    if (spec.type === 'boolean') return [isTrue(fromEnvironment)];
    const words = spec.multiple === true ? fromEnvironment.split(',').map((word) => word.trim()) : [fromEnvironment];
    return words.map((word) => convertValue(word, spec, `$${spec.env}`));
  }
  if (spec.default !== undefined) return [spec.default];
  return spec.type === 'boolean' && spec.multiple !== true ? [spec.negatable === true] : [];
}

function isTrue(word: string): boolean {
  return !['0', 'false', 'no', 'off'].includes(word.toLowerCase());
}

function seeHelp(command: string): string {
  return `Run "${command} --help" for help.`;
}

interface ValueSpec {
  readonly type?: 'boolean' | 'string' | 'number' | 'integer';
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

const INTEGER = /^[+-]?\d+$/u;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu;

/** `label` names the value in messages: `--limit` or `<id>`. */
function convertValue(word: string, spec: ValueSpec, label: string): string | number {
  if (spec.choices !== undefined && !spec.choices.includes(word)) throw notAChoice(word, spec.choices, label);
  if (spec.type === 'integer') return withinLimits(parsedNumber(word, INTEGER, 'a whole number', label), spec, label);
  if (spec.type === 'number') return withinLimits(parsedNumber(word, DECIMAL, 'a number', label), spec, label);
  return word;
}

function parsedNumber(word: string, form: RegExp, expected: string, label: string): number {
  const number = form.test(word) ? Number(word) : Number.NaN;
  const isExact = form === INTEGER ? Number.isSafeInteger(number) : Number.isFinite(number);
  if (!isExact) throw invalid(`${label} must be ${expected}, not "${word}".`);
  return number;
}

function withinLimits(number: number, { min, max }: ValueSpec, label: string): number {
  if (min !== undefined && number < min) throw invalid(`${label} must be at least ${min}, not ${number}.`);
  if (max !== undefined && number > max) throw invalid(`${label} must be at most ${max}, not ${number}.`);
  return number;
}

function notAChoice(word: string, choices: readonly string[], label: string): Error {
  const meant = closest(word, choices);
  const list = `Choose one of: ${choices.join(', ')}.`;
  return commandLineErrors.INVALID_ARGUMENT(`${label} cannot be "${word}".`, {
    hint: meant === undefined ? list : `Did you mean "${meant}"? ${list}`,
    details: { choices },
  });
}

function invalid(message: string): Error {
  return commandLineErrors.INVALID_ARGUMENT(message);
}
