import type { Clock } from '@holdfast/base';
import type { Keyspace, UlidSource } from '@holdfast/keyspace';

import type { Hasher } from '../adapters/argon2.ts';
import type { Random } from '../adapters/random.ts';
import type { Settings } from '../model/limits.ts';
import { encodeSecret, SECRET_BYTES, type SecretKind } from '../model/secret.ts';
import type { Background } from './background.ts';

/** Dependencies of the service functions. */
export interface Dependencies {
  readonly keyspace: Keyspace;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly newId: UlidSource;
  readonly background: Background;
  /**
   * Turns names of users who do not exist into something to count failures by. It lives in memory only: people type
   * passwords where the name goes, and no trace of those may reach the disk that could be guessed from.
   */
  readonly unknownNameKey: Uint8Array;
}

/** Actor in the audit log: the id of a user, or one of these. */
export type Actor = string;
export const SYSTEM: Actor = 'system';

export function newSecret({ random }: Pick<Dependencies, 'random'>, kind: SecretKind): string {
  return encodeSecret(kind, random.bytes(SECRET_BYTES));
}
