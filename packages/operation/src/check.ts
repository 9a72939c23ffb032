/** Checks a value against its fields and reports all problems with their paths. */
import type { Field, Fields, NumberField, ObjectField, TextField } from './fields.ts';

export interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

export type Checked = { readonly value: unknown } | { readonly issues: readonly Issue[] };

/** Returns the value with defaults filled in; the same object if nothing was missing. */
export function check(field: Field, value: unknown): Checked {
  const issues: Issue[] = [];
  const checked = checkField(field, value, issues);
  return issues.length === 0 ? { value: checked } : { issues };
}

/**
 * Adds issues with paths relative to this field. Callers prepend their part, so that paths are built only for invalid
 * values.
 */
function checkField(field: Field, value: unknown, issues: Issue[]): unknown {
  switch (field.kind) {
    case 'optional':
      return value === undefined ? undefined : checkField(field.of, value, issues);
    case 'default':
      return value === undefined ? field.value : checkField(field.of, value, issues);
    case 'nullable':
      return value === null ? null : checkField(field.of, value, issues);
    case 'list':
      return checkList(field, value, issues);
    case 'record':
      return checkRecord(field.of, value, issues);
    case 'object':
      return checkObject(field, value, issues);
    case 'union':
      return checkUnion(field.of, value, issues);
    case 'integer':
    case 'number':
      return checkNumber(field, value, issues);
    case 'boolean':
    case 'choice':
    case 'json':
    case 'text':
    case 'time':
    default: {
      const problem = scalarProblem(field, value);
      if (problem !== undefined) issues.push({ message: problem, path: [] });
      return value;
    }
  }
}

type Scalar = Exclude<
  Field,
  { readonly kind: 'optional' | 'default' | 'nullable' | 'list' | 'record' | 'object' | 'union' | 'integer' | 'number' }
>;

/** Refuses numbers out of range too, because `Date.parse` returns NaN for them. */
const RFC_3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u;

function scalarProblem(field: Scalar, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
      return textProblem(field, value);
    case 'time':
      return typeof value === 'string' && RFC_3339.test(value) ? undefined : 'expected a time (RFC 3339)';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'expected true or false';
    case 'choice':
      return field.choices.includes(value as string) ? undefined : `expected one of ${field.choices.join(', ')}`;
    case 'json':
    default:
      return value === undefined ? 'is missing' : undefined;
  }
}

function textProblem({ min = 0, max, allowsNul = false }: TextField, value: unknown): string | undefined {
  if (typeof value !== 'string') return value === undefined ? 'is missing' : 'expected text';
  if (value.length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`;
  if (max !== undefined && value.length > max) return `must have at most ${max} characters`;
  if (!allowsNul && value.includes('\0')) return 'has a NUL character, which cannot be stored';
  return undefined;
}

function checkNumber(field: NumberField, value: unknown, issues: Issue[]): unknown {
  const { kind, min, max, clamp = false } = field;
  const isRight = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  const problem = (message: string): unknown => issues.push({ message, path: [] });
  if (!isRight) problem(kind === 'integer' ? 'expected a whole number' : 'expected a number');
  else if (min !== undefined && (value as number) < min) problem(`must be at least ${min}`);
  else if (max !== undefined && (value as number) > max) {
    if (clamp) return max;
    problem(`must be at most ${max}`);
  }
  return value;
}

function checkList(
  { of, min = 0, max }: Extract<Field, { readonly kind: 'list' }>,
  value: unknown,
  issues: Issue[],
): unknown {
  if (!Array.isArray(value)) {
    issues.push({ message: value === undefined ? 'is missing' : 'expected a list', path: [] });
    return value;
  }
  if (value.length < min) issues.push({ message: `must have at least ${min} entries`, path: [] });
  if (max !== undefined && value.length > max) issues.push({ message: `must have at most ${max} entries`, path: [] });
  return value.map((item, index) => checkBelow(String(index), of, item, issues));
}

function checkBelow(name: string, field: Field, value: unknown, issues: Issue[]): unknown {
  const before = issues.length;
  const checked = checkField(field, value, issues);
  for (let index = before; index < issues.length; index += 1) {
    const { message, path } = issues[index] as Issue;
    issues[index] = { message, path: [name, ...path] };
  }
  return checked;
}

/** If one form has fewer problems than all others, the value was probably meant to have this form. */
function checkUnion(of: readonly Field[], value: unknown, issues: Issue[]): unknown {
  const failed: (readonly Issue[])[] = [];
  for (const each of of) {
    const checked = check(each, value);
    if ('value' in checked) return checked.value;
    failed.push(checked.issues);
  }
  const [nearest = [], next] = failed.toSorted((left, right) => left.length - right.length);
  if (next !== undefined && nearest.length < next.length) issues.push(...nearest);
  else issues.push({ message: 'does not match any of the accepted forms', path: [] });
  return value;
}

function checkRecord(of: Field, value: unknown, issues: Issue[]): unknown {
  if (!isObject(value)) {
    issues.push({ message: 'expected an object', path: [] });
    return value;
  }
  for (const [name, item] of Object.entries(value)) checkBelow(name, of, item, issues);
  return value;
}

function checkObject({ fields }: ObjectField, value: unknown, issues: Issue[]): unknown {
  if (!isObject(value)) {
    issues.push({ message: 'expected an object', path: [] });
    return value;
  }
  let filled: Record<string, unknown> | undefined;
  let present = 0;
  const { entries, known } = layoutOf(fields);
  for (const { name, field, isInherited } of entries) {
    const given = isInherited && !Object.hasOwn(value, name) ? undefined : value[name];
    if (given !== undefined) present += 1;
    if (isClearlyRight(field, given)) continue;
    const checked = checkBelow(name, field, given, issues);
    if (checked !== given) (filled ??= { ...value })[name] = checked;
  }
  // If the counts are equal, `value` has no unknown names.
  if (Object.keys(value).length !== present) {
    for (const name in value) if (!(name in known)) issues.push({ message: 'is unknown', path: [name] });
  }
  return filled ?? value;
}

/**
 * A fast check with one call per field, because a store checks tens of thousands of records. Returns true for most
 * valid values. False only means that the value needs the full check.
 */
function isClearlyRight(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case 'text':
      return (
        typeof value === 'string' && field.allowsNul === true && field.min === undefined && field.max === undefined
      );
    case 'time':
      return typeof value === 'string' && RFC_3339.test(value);
    case 'choice':
      return field.choices.includes(value as string);
    case 'integer':
      return Number.isSafeInteger(value) && field.max === undefined && (value as number) >= (field.min ?? -Infinity);
    case 'optional':
      return value === undefined;
    case 'nullable':
      return value === null;
    case 'boolean':
    case 'default':
    case 'json':
    case 'list':
    case 'number':
    case 'object':
    case 'record':
    case 'union':
    default:
      return false;
  }
}

interface Layout {
  /** `isInherited` is true if every JavaScript object has a property with this name, for example "constructor". */
  readonly entries: readonly { readonly name: string; readonly field: Field; readonly isInherited: boolean }[];
  /** An object without a prototype, so that `in` finds only field names. */
  readonly known: Fields;
}

// Cached, because stores validate tens of thousands of records with the same few objects.
const layouts = new WeakMap<Fields, Layout>();

function layoutOf(fields: Fields): Layout {
  let layout = layouts.get(fields);
  if (layout === undefined) {
    const entries = Object.entries(fields).map(([name, field]) => ({
      name,
      field,
      isInherited: name in Object.prototype,
    }));
    layout = { entries, known: Object.assign(Object.create(null) as object, fields) };
    layouts.set(fields, layout);
  }
  return layout;
}

/** Copies only the named fields, so a column added to a record does not leak. */
export function project(field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  switch (field.kind) {
    case 'optional':
    case 'default':
    case 'nullable':
      return project(field.of, value);
    case 'list':
      return Array.isArray(value) ? value.map((item) => project(field.of, item)) : value;
    case 'union':
      return project(field.of.find((each) => 'value' in check(each, value)) ?? { kind: 'json' }, value);
    case 'object':
      return isObject(value) ? projectObject(field.fields, value) : value;
    case 'record':
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, project(field.of, item)]))
        : value;
    case 'boolean':
    case 'choice':
    case 'integer':
    case 'json':
    case 'number':
    case 'text':
    case 'time':
    default:
      return value;
  }
}

function projectObject(fields: Fields, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const projected: Record<string, unknown> = {};
  for (const name in fields) {
    const inner = project(fields[name] as Field, value[name]);
    if (inner !== undefined) projected[name] = inner;
  }
  return projected;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
