import { npErrors } from '../model/errors.ts';

/** What a model sends, taken apart: it may be anything. */

type Json = Readonly<Record<string, unknown>>;

export function optionalText(input: Json, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
  throw npErrors.TEXT_INVALID(`"${name}" must be text.`);
}

export function requiredText(input: Json, name: string): string {
  const value = optionalText(input, name);
  if (value === undefined) throw npErrors.TEXT_INVALID(`"${name}" is missing.`);
  return value;
}

export function optionalCount(input: Json, name: string): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw npErrors.TEXT_INVALID(`"${name}" must be a whole number.`);
}

export function optionalChoice<const Choice extends string>(
  input: Json,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = optionalText(input, name);
  if (value === undefined || choices.includes(value as Choice)) return value as Choice | undefined;
  throw npErrors.TEXT_INVALID(`"${name}" must be one of ${choices.join(', ')}.`);
}

export function objects(input: Json, name: string): readonly Json[] {
  const value = input[name];
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
  if (isList) return value as readonly Json[];
  throw npErrors.TEXT_INVALID(`"${name}" must be a list of objects.`);
}
