/** Converts one word of the command line to its specified type. */
import { commandLineErrors } from '../errors.ts';
import { closest } from './suggest.ts';

interface ValueSpec {
  readonly type?: 'boolean' | 'string' | 'number' | 'integer';
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
}

const INTEGER = /^[+-]?\d+$/u;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu;

/** `label` names the value in messages: `--limit` or `<id>`. */
export function convertValue(word: string, spec: ValueSpec, label: string): string | number {
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
