import { z } from 'zod';
import { count, id, time, versioned } from './stored.ts';
import { smartQueryShape } from './smart-query.ts';

const playlistFields = z.object({
  id,
  name: z.string().min(1),
  /** Null for a shared playlist. */
  user_id: z.string().nullable(),
  kind: z.enum(['manual', 'smart']),
  /** Null for a manual playlist. */
  query: smartQueryShape.nullable(),
  created_at: time,
  updated_at: time,
  revision: count,
  version: z.literal(2),
});
export type Playlist = z.infer<typeof playlistFields>;

/** Version 1 had only an ordered list. */
export const playlistShape = versioned(playlistFields, [
  (old) => ({ ...old, kind: 'manual', query: null, revision: 0 }),
]);

export const playlistItemShape = z.object({ book_id: id, added_at: time, version: z.literal(1) });
export type PlaylistItem = z.infer<typeof playlistItemShape>;
