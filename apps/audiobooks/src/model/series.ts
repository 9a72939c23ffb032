import { z } from 'zod';
import { normalizeText, sortKey } from './normalize.ts';
import { id, time, versioned } from './stored.ts';

const shape = z.object({
  id,
  name: z.string().min(1),
  normalized_name: z.string(),
  sort_name: z.string(),
  author_id: id.nullable(),
  aliases: z.array(z.string()),
  created_at: time,
  updated_at: time,
  version: z.literal(2),
});

export const seriesShape = versioned(shape, [
  (old) => ({
    ...old,
    normalized_name: normalizeText(String(old['name'])),
    sort_name: sortKey(String(old['name'])),
    aliases: [],
    updated_at: old['created_at'],
  }),
]);
export type Series = z.infer<typeof shape>;
