import { z } from 'zod';

/** The parts of OpenAPI 3.1 that Holdfast uses. Its schemas are JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-permission': string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: Content;
}

/**
 * Collects named schemas (`.meta({ id: 'Plan' })`) under `#/components/schemas`; others are written inline. The input
 * and output forms of a schema can differ, because input may omit fields with defaults. The input form is then called
 * `PlanInput`.
 */
export class SchemaCollector {
  readonly #schemas = new Map<string, JsonSchema>();

  get all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#schemas].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  sent(schema: z.ZodType): JsonSchema {
    return this.#write(schema, 'input');
  }

  received(schema: z.ZodType): JsonSchema {
    return this.#write(schema, 'output');
  }

  #write(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _, $defs = {}, ...written } = z.toJSONSchema(schema, { io, override: openObjects }) as Defined;
    const names = new Map(Object.keys($defs).map((name) => [name, this.#nameFor(name, $defs[name] ?? {}, io)]));
    for (const [name, definition] of Object.entries($defs)) {
      this.#schemas.set(names.get(name) ?? name, renamed(definition, names) as JsonSchema);
    }
    return renamed(written, names) as JsonSchema;
  }

  #nameFor(name: string, definition: JsonSchema, io: 'input' | 'output'): string {
    if (io === 'output') return name;
    const output = this.#outputs.get(name);
    return output === undefined || JSON.stringify(output) === JSON.stringify(definition) ? name : `${name}Input`;
  }

  readonly #outputs = new Map<string, JsonSchema>();

  /** Call this for the schemas of all responses before writing any schema, so that names do not depend on the order. */
  prepare(schema: z.ZodType): void {
    const { $defs = {} } = z.toJSONSchema(schema, {
      io: 'output',
      override: openObjects,
      unrepresentable: 'any',
    }) as Defined;
    for (const [name, definition] of Object.entries($defs)) this.#outputs.set(name, definition);
  }
}

interface Defined {
  readonly $schema?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Allows unknown fields in answers, because new fields may be added at any time. Objects declared strict stay closed.
 */
function openObjects({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const { _zod: internals } = zodSchema;
  const { def } = internals;
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const name = key === '$ref' && typeof inner === 'string' ? /^#\/\$defs\/(.+)$/.exec(inner)?.[1] : undefined;
      return [key, name === undefined ? renamed(inner, names) : `#/components/schemas/${names.get(name) ?? name}`];
    }),
  );
}
