import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** As much of JSON Schema as docs/schemas uses. Says where a value differs; empty when it fits. */
export function schemaProblems(name: string, value: unknown): string[] {
  const path = resolve(import.meta.dirname, '../../../docs/schemas/ringmaster', `${name}.json`);
  const root = JSON.parse(readFileSync(path, 'utf8')) as Schema;
  return problems(root, value, name, root);
}

function problems(schema: Schema, value: unknown, at: string, root: Schema): string[] {
  if (schema.$ref !== undefined) {
    return problems(root.$defs?.[schema.$ref.slice('#/$defs/'.length)] ?? { enum: [] }, value, at, root);
  }
  if (schema.anyOf !== undefined) {
    const tries = schema.anyOf.map((one) => problems(one, value, at, root));
    return tries.some((found) => found.length === 0) ? [] : tries.flat();
  }
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types !== undefined && !types.some((type) => isOfType(value, type))) return [`${at} is no ${types.join(' or ')}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at} is ${String(value)}`];
  if (schema.const !== undefined && schema.const !== value) return [`${at} is not ${JSON.stringify(schema.const)}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => problems(schema.items ?? {}, item, `${at}[${index}]`, root));
  }
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return [];
  const object = value as Readonly<Record<string, unknown>>;
  const missing = (schema.required ?? []).filter((key) => !(key in object)).map((key) => `${at}.${key} is missing`);
  const found = Object.entries(object).flatMap(([key, item]) => {
    const property = schema.properties?.[key];
    if (property === undefined) return schema.additionalProperties === false ? [`${at}.${key} is unknown`] : [];
    return problems(property, item, `${at}.${key}`, root);
  });
  return [...missing, ...found];
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
