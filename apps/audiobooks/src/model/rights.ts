import { z } from 'zod';
import { count, id, time } from './stored.ts';

/** What one user may see of the libraries, and do with the books in them. Stored under `rights:{user}`. */
const shape = z.object({
  user_id: z.string(),
  libraries: z.union([z.literal('all'), z.array(id)]),
  /** May change what is said about books, if the account may write at all. */
  edit: z.boolean(),
  /** May take whole files away, not just listen. */
  download: z.boolean(),
  updated_at: time,
  revision: count,
  version: z.literal(1),
});
export const rightsShape: typeof shape = shape;
export type Rights = z.infer<typeof shape>;

/** What everybody may who was never given anything else. */
export const DEFAULT_RIGHTS: Pick<Rights, 'libraries' | 'edit' | 'download'> = {
  libraries: 'all',
  edit: true,
  download: true,
};
