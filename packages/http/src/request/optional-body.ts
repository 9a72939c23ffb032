import type { z } from 'zod';

/** Returns the value for a missing body: undefined, or an empty object if the schema only accepts one. */
export function emptyBody(schema: z.ZodType): Readonly<Record<string, never>> | undefined {
  return schema.safeParse(undefined).success ? undefined : {};
}

export function isBodyOptional(schema: z.ZodType): boolean {
  return schema.safeParse(emptyBody(schema)).success;
}
