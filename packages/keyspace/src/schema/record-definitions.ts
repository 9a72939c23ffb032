import { Template } from '../keys/template.ts';
import type { PlaceholderNames, KeyOf } from '../keys/types.ts';
import { IndexDefinition, type IndexOptions } from './index-definition.ts';
import type { OutputOf, StandardSchema } from './standard-schema.ts';
import { type CounterEncoding, jsonCodec, textCodec, type ValueCodec } from './value-codec.ts';

/**
 * The definitions that make up a keyspace. Templates contain literal keys, which the applications' design documents
 * (docs/fidelity) specify:
 *
 * ```ts
 * const tasks = record('s/{sid}/task/{id}', Task, { indexes: { status: 's/{sid}/idx/status/{status}/{id}' } })
 * const events = log('s/{sid}/evt/{seq}', Event, { counter: 's/{sid}/meta/evt_seq' })
 * const plays = counter('stats:book:plays:{id}')
 * ```
 */

type NoIndexes = Readonly<Record<string, never>>;

export interface RecordDefinition<Source extends string = string, Value = unknown, Indexes = unknown> {
  readonly type: 'record';
  readonly source: Source;
  readonly template: Template;
  readonly codec: ValueCodec<Value>;
  readonly indexes: readonly IndexDefinition[];
  /** The indexes by name, listed like records: `list(tasks.by.status, { sid, status })`. */
  readonly by: Indexes;
}

/** An index of a record or log; its entries point to `target`. */
export interface IndexReference<Source extends string = string, Target = unknown> {
  readonly type: 'index';
  readonly source: Source;
  readonly template: Template;
  readonly index: IndexDefinition;
  readonly target: Target;
}

export interface LogDefinition<Source extends string = string, Value = unknown, Indexes = unknown> {
  readonly type: 'log';
  readonly source: Source;
  readonly template: Template;
  readonly codec: ValueCodec<Value>;
  readonly counter: CounterDefinition;
  /** Whether the counter stores the last assigned number or the next one. */
  readonly counterHolds: 'last' | 'next';
  /** True if old entries may be removed; the log then need not begin at 1. */
  readonly trimmable: boolean;
  readonly indexes: readonly IndexDefinition[];
  /** The indexes by name, listed like entries: `list(events.by.feed, {})`. */
  readonly by: Indexes;
}

/** A definition with its own entries: a record or a log. */
export type EntryDefinition<Source extends string = string, Value = unknown> =
  RecordDefinition<Source, Value> | LogDefinition<Source, Value>;

export interface CounterDefinition<Source extends string = string> {
  readonly type: 'counter';
  readonly source: Source;
  readonly template: Template;
  readonly encoding: CounterEncoding;
}

export type Definition = EntryDefinition | CounterDefinition | IndexReference;

type IndexSpec<Value, Key> = string | IndexOptions<Value, Key>;
type SpecKey<Spec> = Spec extends string ? Spec : Spec extends { readonly key: infer Key extends string } ? Key : never;
type SpecFrom<Spec> = Spec extends { readonly from: infer From } ? keyof From : never;
type SpecEach<Spec> = Spec extends { readonly each: (...given: never) => readonly (infer Group)[] }
  ? keyof Group
  : never;

/** Produces a type error that names the placeholder if a placeholder has no source. */
type Checked<Spec, Value, Key> =
  Exclude<
    PlaceholderNames<SpecKey<Spec>>,
    keyof Value | keyof Key | SpecFrom<Spec> | SpecEach<Spec>
  > extends infer Unknown
    ? [Unknown] extends [never]
      ? Spec
      : { readonly key: `no such field: ${Unknown & string}` }
    : never;

type Specs<Value, Key> = Readonly<Record<string, IndexSpec<Value, Key>>>;
type CheckedSpecs<Given, Value, Key> = { readonly [Name in keyof Given]: Checked<Given[Name], Value, Key> };
type AnySpecs = Readonly<Record<string, string | IndexOptions<never, never>>>;

type References<Target, Given> = {
  readonly [Name in keyof Given]: IndexReference<SpecKey<Given[Name]>, Target>;
};

export function record<
  const Source extends string,
  Schema extends StandardSchema,
  const Given extends Specs<OutputOf<Schema>, KeyOf<Source>> = NoIndexes,
>(
  source: Source,
  schema: Schema,
  options: { readonly indexes?: CheckedSpecs<Given, OutputOf<Schema>, KeyOf<Source>> } = {},
): RecordDefinition<Source, OutputOf<Schema>, References<RecordDefinition<Source, OutputOf<Schema>>, Given>> {
  return makeRecord(source, jsonCodec(schema, source), options.indexes as AnySpecs | undefined);
}

/** Defines a record whose value is plain text, stored unchanged. */
export function text<const Source extends string>(source: Source): RecordDefinition<Source, string> {
  return makeRecord<Source, string, unknown>(source, textCodec(source), undefined);
}

export interface LogOptions<Indexes> {
  readonly counter: string;
  readonly counterEncoding?: CounterEncoding;
  readonly counterHolds?: 'last' | 'next';
  readonly trimmable?: boolean;
  readonly indexes?: Indexes;
}

/**
 * Defines an append-only log. A counter in the same commit numbers its entries without gaps. The last placeholder is
 * the number. It is known only at commit, so index keys must contain every placeholder of the log and cannot be unique.
 */
export function log<
  const Source extends string,
  Schema extends StandardSchema,
  const Given extends Specs<OutputOf<Schema>, KeyOf<Source>> = NoIndexes,
>(
  source: Source,
  schema: Schema,
  options: LogOptions<CheckedSpecs<Given, OutputOf<Schema>, KeyOf<Source>>>,
): LogDefinition<Source, OutputOf<Schema>, References<LogDefinition<Source, OutputOf<Schema>>, Given>> {
  const template = new Template(source);
  const counterTemplate = new Template(options.counter);
  const expected = template.placeholderNames.slice(0, -1).join(' ');
  if (template.placeholderNames.length === 0 || counterTemplate.placeholderNames.join(' ') !== expected) {
    throw new TypeError(
      `The counter ${options.counter} must have the same placeholders as ${source}, except the number`,
    );
  }
  const indexes = makeIndexes(template, options.indexes);
  for (const { name, unique, template: indexTemplate } of indexes) {
    if (!template.placeholderNames.every((placeholder) => indexTemplate.placeholderNames.includes(placeholder))) {
      throw new TypeError(`The index ${name} of ${source} must contain every placeholder of its template`);
    }
    if (unique) throw new TypeError(`The index ${name} of the log ${source} cannot be unique`);
  }
  return withReferences({
    type: 'log',
    source,
    template,
    codec: jsonCodec(schema, source),
    counter: counter(options.counter, { encoding: options.counterEncoding ?? 'decimal' }),
    counterHolds: options.counterHolds ?? 'last',
    trimmable: options.trimmable ?? false,
    indexes,
  });
}

/** Defines a whole number. Writers add to it at commit without reading it, so they do not conflict. */
export function counter<const Source extends string>(
  source: Source,
  options: { readonly encoding?: CounterEncoding } = {},
): CounterDefinition<Source> {
  return { type: 'counter', source, template: new Template(source), encoding: options.encoding ?? 'decimal' };
}

function makeRecord<Source extends string, Value, Indexes>(
  source: Source,
  codec: ValueCodec<Value>,
  specs: AnySpecs | undefined,
): RecordDefinition<Source, Value, Indexes> {
  const template = new Template(source);
  return withReferences({ type: 'record', source, template, codec, indexes: makeIndexes(template, specs) });
}

/** Adds `by`, which holds each index under its name. Each index refers to its record definition. */
function withReferences<Bare extends { readonly indexes: readonly IndexDefinition[] }, Indexes>(
  bare: Bare,
): Bare & { readonly by: Indexes } {
  const by: Record<string, IndexReference> = {};
  const definition = { ...bare, by: by as Indexes };
  for (const index of bare.indexes) {
    const { template } = index;
    by[index.name] = { type: 'index', source: template.source, template, index, target: definition };
  }
  return definition;
}

function makeIndexes(primary: Template, specs: AnySpecs | undefined): IndexDefinition[] {
  return Object.entries(specs ?? {}).map(
    ([name, spec]) => new IndexDefinition(name, primary, typeof spec === 'string' ? { key: spec } : spec),
  );
}
