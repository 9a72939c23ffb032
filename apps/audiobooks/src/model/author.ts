import { z } from 'zod';
import { nameSortKey, normalizeName } from './normalize.ts';
import { id, time, versioned } from './stored.ts';

const shape = z.object({
  id,
  name: z.string().min(1),
  normalized_name: z.string(),
  sort_name: z.string(),
  aliases: z.array(z.string()),
  created_at: time,
  updated_at: time,
  version: z.literal(2),
});

export const authorShape = versioned(shape, [
  (old) => ({
    ...old,
    normalized_name: normalizeName(String(old['name'])),
    sort_name: nameSortKey(String(old['name'])),
    aliases: [],
    updated_at: old['created_at'],
  }),
]);
export type Author = z.infer<typeof shape>;

/** Identified by name. */
export const narratorShape = z.object({
  name: z.string().min(1),
  normalized_name: z.string(),
  sort_name: z.string(),
  created_at: time,
  version: z.literal(1),
});
