import { z } from 'zod';

const PAGE_LIMIT_DEFAULT = 50;
const PAGE_LIMIT_MAX = 200;
const CURSOR_LENGTH_MAX = 1_024;

/** A larger limit is lowered to the maximum, not refused. */
const limit = z.coerce
  .number<string | number>()
  .int()
  .min(1)
  .default(PAGE_LIMIT_DEFAULT)
  .transform((asked) => Math.min(asked, PAGE_LIMIT_MAX))
  .meta({ description: `Maximum number of results; ${PAGE_LIMIT_DEFAULT} by default, at most ${PAGE_LIMIT_MAX}` });

const cursor = z
  .string()
  .min(1)
  .max(CURSOR_LENGTH_MAX)
  .optional()
  .meta({ description: 'Position to continue from: next_cursor of the previous page' });

/** Query parameters of every list; extend it with filters: `z.object({ ...pageQuery, status: … })`. */
export const pageQuery = { limit, cursor } as const;
