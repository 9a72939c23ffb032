/**
 * Fields as data for every face: the command line derives flags and help, HTTP derives zod schemas and OpenAPI, MCP
 * derives JSON Schema. Commands validate without loading a schema library.
 */

export interface TextField {
  readonly kind: 'text';
  readonly summary?: string;
  /** Name of the value in help: `--parent <task>`. */
  readonly label?: string;
  readonly min?: number;
  readonly max?: number;
  /** Allows NUL characters. By default, text fields reject them, because stored text cannot contain them. */
  readonly allowsNul?: boolean;
}

export interface NumberField {
  readonly kind: 'number' | 'integer';
  readonly summary?: string;
  readonly label?: string;
  readonly min?: number;
  readonly max?: number;
  /** Lowers a larger value to `max` instead of rejecting it. */
  readonly clamp?: boolean;
}

export interface BooleanField {
  readonly kind: 'boolean';
  readonly summary?: string;
}

export interface TimeField {
  readonly kind: 'time';
  readonly summary?: string;
}

export interface ChoiceField<Choices extends readonly string[] = readonly string[]> {
  readonly kind: 'choice';
  readonly choices: Choices;
  readonly summary?: string;
}

/** Any JSON value. */
export interface JsonField {
  readonly kind: 'json';
  readonly summary?: string;
}

export interface ListField<Of extends Field = Field> {
  readonly kind: 'list';
  readonly of: Of;
  readonly summary?: string;
  readonly min?: number;
  readonly max?: number;
}

/** An object used as a map: any key, one kind of value. */
export interface RecordField<Of extends Field = Field> {
  readonly kind: 'record';
  readonly of: Of;
  readonly summary?: string;
}

export interface ObjectField<F extends Fields = Fields> {
  readonly kind: 'object';
  readonly fields: F;
  /** Name of the schema in the OpenAPI document. */
  readonly id?: string;
  readonly summary?: string;
}

/** A value of any of these kinds; the first kind that matches is used. */
export interface UnionField<Of extends readonly Field[] = readonly Field[]> {
  readonly kind: 'union';
  readonly of: Of;
  readonly summary?: string;
}

export interface NullableField<Of extends Field = Field> {
  readonly kind: 'nullable';
  readonly of: Of;
}

export interface OptionalField<Of extends Field = Field> {
  readonly kind: 'optional';
  readonly of: Of;
}

export interface DefaultField<Of extends Field = Field> {
  readonly kind: 'default';
  readonly of: Of;
  readonly value: unknown;
}

export type Field =
  | TextField
  | NumberField
  | BooleanField
  | TimeField
  | ChoiceField
  | JsonField
  | ListField
  | RecordField
  | ObjectField
  | UnionField
  | NullableField
  | OptionalField
  | DefaultField;

export type Fields = { readonly [name: string]: Field };

type Simplify<T> = { readonly [K in keyof T]: T[K] };

type NamesOfKind<F, Kind> = { [N in keyof F]: F[N] extends { readonly kind: Kind } ? N : never }[keyof F];

/** The value after validation, with defaults. Unknown for a field whose kind is not known. */
export type ValueOf<F> = [Field] extends [F] ? unknown : KnownValue<F>;

type KnownValue<F> = F extends { readonly kind: 'text' | 'time' }
  ? string
  : F extends { readonly kind: 'number' | 'integer' }
    ? number
    : F extends { readonly kind: 'boolean' }
      ? boolean
      : F extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
        ? Choice
        : F extends { readonly kind: 'list'; readonly of: infer Of }
          ? readonly ValueOf<Of>[]
          : F extends { readonly kind: 'record'; readonly of: infer Of }
            ? Readonly<Record<string, ValueOf<Of>>>
            : F extends { readonly kind: 'object'; readonly fields: infer Inner }
              ? ObjectValue<Inner>
              : F extends { readonly kind: 'union'; readonly of: readonly (infer Of)[] }
                ? ValueOf<Of>
                : F extends { readonly kind: 'nullable'; readonly of: infer Of }
                  ? ValueOf<Of> | null
                  : F extends { readonly kind: 'optional' | 'default'; readonly of: infer Of }
                    ? ValueOf<Of>
                    : unknown;

export type ObjectValue<F> = string extends keyof F ? Readonly<Record<string, unknown>> : KnownObject<F>;

type KnownObject<F> = Simplify<
  { readonly [N in Exclude<keyof F, NamesOfKind<F, 'optional'>>]: ValueOf<F[N]> } & {
    readonly [N in NamesOfKind<F, 'optional'>]?: ValueOf<F[N]> | undefined;
  }
>;

/** The value before validation; fields with a default may be omitted. */
export type GivenObject<F> = Simplify<
  { readonly [N in Exclude<keyof F, NamesOfKind<F, 'optional' | 'default'>>]: ValueOf<F[N]> } & {
    readonly [N in NamesOfKind<F, 'optional' | 'default'>]?: ValueOf<F[N]> | undefined;
  }
>;

type Options<F> = Partial<Omit<F, 'kind' | 'summary' | 'of' | 'choices' | 'fields'>>;

export function text(summary?: string, options?: Options<TextField>): TextField {
  return { kind: 'text', ...described(summary), ...options };
}

export function integer(summary?: string, options?: Options<NumberField>): NumberField {
  return { kind: 'integer', ...described(summary), ...options };
}

export function number(summary?: string, options?: Options<NumberField>): NumberField {
  return { kind: 'number', ...described(summary), ...options };
}

export function boolean(summary?: string): BooleanField {
  return { kind: 'boolean', ...described(summary) };
}

/** A time in RFC 3339. */
export function time(summary?: string): TimeField {
  return { kind: 'time', ...described(summary) };
}

export function choice<const Choices extends readonly string[]>(
  choices: Choices,
  summary?: string,
): ChoiceField<Choices> {
  return { kind: 'choice', choices, ...described(summary) };
}

export function json(summary?: string): JsonField {
  return { kind: 'json', ...described(summary) };
}

export function list<const Of extends Field>(
  of: Of,
  options: { readonly summary?: string; readonly min?: number; readonly max?: number } = {},
): ListField<Of> {
  return { kind: 'list', of, ...options };
}

export function record<const Of extends Field>(of: Of, summary?: string): RecordField<Of> {
  return { kind: 'record', of, ...described(summary) };
}

export function object<const F extends Fields>(
  fields: F,
  options: { readonly id?: string; readonly summary?: string } = {},
): ObjectField<F> {
  return { kind: 'object', fields, ...options };
}

export function union<const Of extends readonly Field[]>(of: Of, summary?: string): UnionField<Of> {
  return { kind: 'union', of, ...described(summary) };
}

export function nullable<const Of extends Field>(of: Of): NullableField<Of> {
  return { kind: 'nullable', of };
}

export function optional<const Of extends Field>(of: Of): OptionalField<Of> {
  return { kind: 'optional', of };
}

export function withDefault<const Of extends Field>(of: Of, value: ValueOf<Of>): DefaultField<Of> {
  return { kind: 'default', of, value };
}

/** A boolean that is false unless given. */
export function flag(summary: string): DefaultField<BooleanField> {
  return withDefault(boolean(summary), false);
}

/** A list that is empty unless given. */
export function optionalList<const Of extends Field>(
  of: Of,
  options?: { readonly summary?: string; readonly max?: number },
): DefaultField<ListField<Of>> {
  return { kind: 'default', of: list(of, options), value: [] };
}

const PAGE_LIMIT = 50;
const PAGE_LIMIT_MAX = 1_000;

/** Input of every list that is read in pages. */
export const pageFields = {
  limit: withDefault(
    integer('Maximum number of results', { min: 1, max: PAGE_LIMIT_MAX, clamp: true, label: 'count' }),
    PAGE_LIMIT,
  ),
  cursor: optional(text('Position to continue from: next_cursor of the previous page', { min: 1, max: 1_024 })),
} as const;

/** Output of every list that is read in pages. */
export function pageOf<const Of extends Field>(of: Of) {
  return object({ data: list(of), next_cursor: nullable(text('Cursor of the next page; null on the last page')) });
}

/** Returns the field below `optional`, `default` and `nullable`. */
export function bareField(field: Field): Exclude<Field, OptionalField | DefaultField | NullableField> {
  return field.kind === 'optional' || field.kind === 'default' || field.kind === 'nullable'
    ? bareField(field.of)
    : field;
}

export function summaryOf(field: Field): string {
  const bare = bareField(field);
  return bare.summary ?? (bare.kind === 'list' ? summaryOf(bare.of) : '');
}

function described(summary: string | undefined): { readonly summary?: string } {
  return summary === undefined ? {} : { summary };
}
