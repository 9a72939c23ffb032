import type { Field, Fields, ObjectField } from '@holdfast/operation';
import { z } from 'zod';

/**
 * Form of the values: `query` is text from the URL, `body` is JSON without unknown fields, and `reply` is JSON with
 * only the named fields.
 */
export type Wire = 'query' | 'body' | 'reply';

// Caches one zod schema per field and wire, because OpenAPI finds named schemas by object identity.
const made: Readonly<Record<Wire, WeakMap<Field, z.ZodType>>> = {
  query: new WeakMap(),
  body: new WeakMap(),
  reply: new WeakMap(),
};

export function zodOf(field: Field, wire: Wire): z.ZodType {
  const known = made[wire].get(field);
  if (known !== undefined) return known;
  const schema = describedSchema(field, wire);
  made[wire].set(field, schema);
  return schema;
}

/** Ignores unknown query parameters, because links may carry parameters that other programs added. */
export function zodObject(fields: Fields, wire: Wire): z.ZodObject {
  const shape = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, zodOf(field, wire)]));
  return wire === 'body' ? z.strictObject(shape) : z.object(shape);
}

function describedSchema(field: Field, wire: Wire): z.ZodType {
  const schema = schemaOf(field, wire);
  return 'summary' in field && field.summary !== undefined ? schema.meta({ description: field.summary }) : schema;
}

function schemaOf(field: Field, wire: Wire): z.ZodType {
  switch (field.kind) {
    case 'optional':
      return zodOf(field.of, wire).optional();
    case 'default':
      return wire === 'reply' ? zodOf(field.of, wire) : zodOf(field.of, wire).default(field.value as never);
    case 'nullable':
      return zodOf(field.of, wire).nullable();
    case 'list':
      return listSchema(field, wire);
    case 'record':
      return z.record(z.string(), zodOf(field.of, wire));
    case 'object':
      return objectSchema(field, wire);
    case 'union':
      return z.union(field.of.map((each) => zodOf(each, wire)));
    case 'text':
      return textSchema(field, wire);
    case 'time':
      return z.string().meta({ format: 'date-time' });
    case 'choice':
      return z.enum(field.choices);
    case 'boolean':
      return wire === 'query' ? z.stringbool() : z.boolean();
    case 'json':
      return z.unknown();
    case 'integer':
    case 'number':
    default:
      return numberSchema(field, wire);
  }
}

function objectSchema(field: ObjectField, wire: Wire): z.ZodType {
  const schema = zodObject(field.fields, wire);
  return field.id === undefined ? schema : schema.meta({ id: wire === 'reply' ? field.id : `${field.id}Input` });
}

/** Accepts a single query value as a list of one. */
function listSchema({ of, min, max }: Extract<Field, { readonly kind: 'list' }>, wire: Wire): z.ZodType {
  const item = zodOf(of, wire);
  let items = z.array(item);
  if (min !== undefined) items = items.min(min);
  if (max !== undefined) items = items.max(max);
  return wire === 'query' ? z.union([items, item.transform((one) => [one])]) : items;
}

function textSchema({ min, max, allowsNul = false }: Extract<Field, { readonly kind: 'text' }>, wire: Wire): z.ZodType {
  if (wire === 'reply') return z.string();
  let schema = z.string();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  const message = 'has a NUL character, which cannot be stored';
  return allowsNul ? schema : schema.refine((value) => !value.includes('\0'), { error: message });
}

function numberSchema(field: Extract<Field, { readonly kind: 'integer' | 'number' }>, wire: Wire): z.ZodType {
  if (wire === 'reply') return field.kind === 'integer' ? z.int() : z.number();
  const { kind, min, max, clamp = false } = field;
  let schema = (wire === 'query' ? z.coerce.number() : z.number()) as z.ZodNumber;
  if (kind === 'integer') schema = schema.int();
  if (min !== undefined) schema = schema.min(min);
  if (max === undefined) return schema;
  return clamp ? schema.transform((value) => Math.min(value, max)) : schema.max(max);
}
