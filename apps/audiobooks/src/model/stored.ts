import { z } from 'zod';

export const id: z.ZodString = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'expected a ULID');

/** RFC 3339 in UTC with milliseconds, so that text order is time order. */
export const time: z.ZodString = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'expected a time in UTC with milliseconds');

export const count: z.ZodNumber = z.int().nonnegative();

type Fields = Readonly<Record<string, unknown>>;

/**
 * Upgrades values of older versions when they are read, one version at a time: `upgrades[0]` converts version 1 to
 * version 2.
 */
export function versioned<Shape extends z.ZodType>(
  shape: Shape,
  upgrades: readonly ((old: Fields) => Fields)[] = [],
): z.ZodType<z.infer<Shape>> {
  const newest = upgrades.length + 1;
  const upgrading: z.ZodType<z.infer<Shape>> = z.preprocess((raw) => {
    let value = raw as Fields;
    for (let version = Number(value?.['version']); version < newest; version++) {
      const upgrade = upgrades[version - 1];
      if (upgrade === undefined) return raw;
      value = { ...upgrade(value), version: version + 1 };
    }
    return value;
  }, shape);
  return upgrading;
}

/** Converts an external time to the stored form. */
export function toTime(value: unknown): string {
  const date = new Date(typeof value === 'number' || typeof value === 'string' ? value : 0);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
