import { z } from 'zod';
import { count, id, time } from '../stored.ts';

/**
 * Records that only the Audiobookshelf API needs. Everything else that its clients show comes from the other records.
 */

export const clientSettingsShape = z.object({
  enabled: z.boolean(),
  /**
   * Encryption key that maps our ids to the ids that clients see. Clients store ids for years, so the key never
   * changes.
   */
  id_key: z.hex().length(32),
  version: z.literal(1),
});

/**
 * A client that signed in. A personal token in the accounts database has the same id; revoking this token ends the
 * sign-in.
 */
export const clientSignInShape = z.object({
  token_id: id,
  user_id: z.string(),
  created_at: time,
  /** Number of the current token pair. Each refresh increases it. */
  generation: count,
  rotated_at: time,
  /** When the client first used the current token pair, which proves that the client received it. */
  confirmed_at: time.nullable(),
  version: z.literal(1),
});
export type ClientSignIn = z.infer<typeof clientSignInShape>;

/** A playback session. Its random id is also the secret in the addresses of its audio files. */
export const clientSessionShape = z.object({
  id: z.string(),
  user_id: z.string(),
  book_id: id,
  /** Generation of the book's timeline when the session began; the positions of the session refer to this timeline. */
  generation: count,
  /** Device description that the client sent. */
  device: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  media_player: z.string(),
  /** 0 for a streamed book, 3 for a downloaded one. */
  play_method: count,
  started_at: time,
  updated_at: time,
  start_ms: count,
  position_ms: count,
  duration_ms: count,
  listened_ms: count,
  closed_at: time.nullable(),
  version: z.literal(1),
});
export type ClientSession = z.infer<typeof clientSessionShape>;
