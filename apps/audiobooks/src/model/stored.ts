import { z } from 'zod';

export const id: z.ZodString = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'expected a ULID');

/** RFC 3339 in UTC with milliseconds, so that the order of the texts is the order of the times. */
export const time: z.ZodString = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'expected a time in UTC with milliseconds');

export const count: z.ZodNumber = z.int().nonnegative();

/** Converts an external time to the stored form; an invalid time becomes 1 January 1970. */
export function toTime(value: unknown): string {
  const date = new Date(typeof value === 'number' || typeof value === 'string' ? value : 0);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
