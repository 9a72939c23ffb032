import type { z } from 'zod';

/** What a request without a body says: nothing, or an object whose every part was left out. */
export function unsaid(schema: z.ZodType): Readonly<Record<string, never>> | undefined {
  return schema.safeParse(undefined).success ? undefined : {};
}

export function mayBeUnsaid(schema: z.ZodType): boolean {
  return schema.safeParse(unsaid(schema)).success;
}
