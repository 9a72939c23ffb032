import type { Tool } from '@holdfast/cli/mcp';
import { STATUSES } from '../model/status.ts';

/** The little JSON Schema that the tools need. */
export const text = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const status = { type: 'string', enum: STATUSES } as const;

export function schema(properties: object, required: readonly string[] = []): Tool['inputSchema'] {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

export function list(properties: object, required: readonly string[]): object {
  return { type: 'array', items: schema(properties, required) };
}
