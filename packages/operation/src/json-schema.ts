/** JSON Schema of a field, as MCP clients read it. */
import type { Field, ObjectField } from './fields.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

export function jsonSchema(field: Field): JsonSchema {
  switch (field.kind) {
    case 'optional':
      return jsonSchema(field.of);
    case 'default':
      return jsonSchema(field.of);
    case 'nullable': {
      const inner = jsonSchema(field.of);
      return typeof inner['type'] === 'string'
        ? { ...inner, type: [inner['type'], 'null'] }
        : { anyOf: [inner, { type: 'null' }] };
    }
    case 'object':
      return described(field, objectSchema(field));
    case 'union':
      return described(field, { anyOf: field.of.map(jsonSchema) });
    case 'list':
      return described(field, { type: 'array', items: jsonSchema(field.of), ...defined({ maxItems: field.max }) });
    case 'record':
      return described(field, { type: 'object', additionalProperties: jsonSchema(field.of) });
    case 'text':
      return described(field, { type: 'string', ...defined({ minLength: field.min, maxLength: field.max }) });
    case 'time':
      return described(field, { type: 'string', format: 'date-time' });
    case 'choice':
      return described(field, { type: 'string', enum: field.choices });
    case 'json':
      return described(field, {});
    case 'boolean':
      return described(field, { type: 'boolean' });
    case 'integer':
    case 'number':
    default:
      return described(field, { type: field.kind, ...defined({ minimum: field.min, maximum: field.max }) });
  }
}

function objectSchema({ fields }: ObjectField): JsonSchema {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { kind }]) => kind !== 'optional' && kind !== 'default').map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, jsonSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function described({ summary }: { readonly summary?: string }, schema: JsonSchema): JsonSchema {
  return summary === undefined ? schema : { ...schema, description: summary };
}

function defined(values: Readonly<Record<string, number | undefined>>): JsonSchema {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
