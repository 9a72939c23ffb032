/**
 * The shape of a JSON object, as data: what each field holds.
 *
 * A validator library would do, but loading one costs a command a tenth of its time and checking 10,000 tasks with it
 * as much as reading them. The shapes speak Standard Schema, so the store takes them like any other validator, and
 * whoever needs a JSON Schema makes it from the same data.
 */

export type Field =
  | { readonly kind: 'text' | 'time' | 'count' | 'object' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'shape'; readonly shape: Shape }
  | { readonly kind: 'nullable' | 'optional'; readonly of: Field };

export type Fields = Readonly<Record<string, Field>>;

type FieldValue<F> = F extends { readonly kind: 'text' | 'time' }
  ? string
  : F extends { readonly kind: 'count' }
    ? number
    : F extends { readonly kind: 'object' }
      ? Readonly<Record<string, unknown>>
      : F extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
        ? Choice
        : F extends { readonly kind: 'shape'; readonly shape: Shape<infer Value> }
          ? Value
          : F extends { readonly kind: 'nullable'; readonly of: infer Inner }
            ? FieldValue<Inner> | null
            : never;

type OptionalNames<F> = { [N in keyof F]: F[N] extends { readonly kind: 'optional' } ? N : never }[keyof F];

type Simplify<T> = { readonly [K in keyof T]: T[K] };

type ValueOfFields<F> = Simplify<
  { readonly [N in Exclude<keyof F, OptionalNames<F>>]: FieldValue<F[N]> } & {
    readonly [N in OptionalNames<F>]?: F[N] extends { readonly of: infer Inner } ? FieldValue<Inner> : never;
  }
>;

export interface Shape<Value = unknown> {
  readonly fields: Fields;
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'np';
    readonly validate: (value: unknown) => { readonly value: Value } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined;
  };
}

interface Issue {
  readonly message: string;
  readonly path?: readonly string[];
}

export type ShapeValue<S> = S extends Shape<infer Value> ? Value : never;

export const text = { kind: 'text' } as const;
/** RFC 3339 in UTC. */
export const time = { kind: 'time' } as const;
export const count = { kind: 'count' } as const;
export const object = { kind: 'object' } as const;

export function choice<const Choices extends readonly string[]>(choices: Choices) {
  return { kind: 'choice', choices } as const;
}

export function nullable<const F extends Field>(of: F) {
  return { kind: 'nullable', of } as const;
}

export function optional<const F extends Field>(of: F) {
  return { kind: 'optional', of } as const;
}

export function nested<Value>(inner: Shape<Value>) {
  return { kind: 'shape', shape: inner } as const;
}

export function shape<const F extends Fields>(fields: F): Shape<ValueOfFields<F>> {
  const names = Object.entries(fields);
  return {
    fields,
    '~standard': {
      version: 1,
      vendor: 'np',
      validate(value) {
        const issues = objectIssues(value, fields, names);
        return issues.length === 0 ? { value: value as ValueOfFields<F> } : { issues };
      },
    },
  };
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u;

function objectIssues(value: unknown, fields: Fields, names: readonly (readonly [string, Field])[]): Issue[] {
  if (!isObject(value)) return [{ message: 'expected an object' }];
  const issues: Issue[] = [];
  for (const [name, field] of names) {
    const problem = fieldProblem(value[name], field);
    if (problem !== undefined) issues.push({ message: problem, path: [name] });
  }
  // A field that nobody knows would be lost by the next change of the record, so it is refused instead.
  for (const name in value) if (!(name in fields)) issues.push({ message: 'is not known', path: [name] });
  return issues;
}

function fieldProblem(value: unknown, field: Field): string | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? undefined : 'expected text';
    case 'time':
      return typeof value === 'string' && RFC_3339.test(value) ? undefined : 'expected a time (RFC 3339)';
    case 'count':
      return Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'expected a whole number';
    case 'object':
      return isObject(value) ? undefined : 'expected an object';
    case 'choice':
      return field.choices.includes(value as string) ? undefined : `expected one of ${field.choices.join(', ')}`;
    case 'nullable':
      return value === null ? undefined : fieldProblem(value, field.of);
    case 'optional':
      return value === undefined ? undefined : fieldProblem(value, field.of);
    case 'shape':
    default:
      return nestedProblem(value, field.shape);
  }
}

function nestedProblem(value: unknown, inner: Shape): string | undefined {
  const result = inner['~standard'].validate(value);
  if (!('issues' in result)) return undefined;
  return result.issues.map(({ message, path = [] }) => [...path, message].join(': ')).join('; ');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
