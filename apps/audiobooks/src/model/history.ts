import { z } from 'zod';
import { BOOK_FIELDS } from './choices.ts';
import { SOURCES } from './book.ts';
import { id, time } from './stored.ts';

export const historyShape = z.object({
  id,
  book_id: id,
  field: z.enum(BOOK_FIELDS),
  before: z.unknown(),
  after: z.unknown(),
  source: z.enum(SOURCES),
  by: z.string(),
  operation_id: id.nullable(),
  at: time,
  version: z.literal(1),
});
export type HistoryEntry = z.infer<typeof historyShape>;
