import { z } from 'zod';
import { count, id, time } from './stored.ts';

/** The libraries a user sees and what they may do. Stored under `rights:{user}`. */
const shape = z.object({
  user_id: z.string(),
  libraries: z.union([z.literal('all'), z.array(id)]),
  /** May edit metadata, provided the account may write. */
  edit: z.boolean(),
  /** May download whole files. */
  download: z.boolean(),
  updated_at: time,
  revision: count,
  version: z.literal(1),
});
export const rightsShape: typeof shape = shape;
export type Rights = z.infer<typeof shape>;

/** Rights of a user without stored rights. */
export const DEFAULT_RIGHTS: Pick<Rights, 'libraries' | 'edit' | 'download'> = {
  libraries: 'all',
  edit: true,
  download: true,
};
