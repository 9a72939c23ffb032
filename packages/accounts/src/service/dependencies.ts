import type { Clock } from '@holdfast/base';
import type { Keyspace, KeyspaceReader, OnUnreadable, UlidSource } from '@holdfast/keyspace';

import type { Hasher } from '../adapters/argon2.ts';
import type { Random } from '../adapters/random.ts';
import type { Settings } from '../model/limits.ts';
import { encodeSecret, SECRET_BYTES, type SecretKind } from '../model/secret.ts';
import type { Background } from './background.ts';

export interface Dependencies {
  readonly keyspace: Keyspace;
  /** Leaves out damaged records and reports them to `onUnreadable`. `keyspace` and its transactions throw instead. */
  readonly reader: KeyspaceReader;
  readonly onUnreadable: OnUnreadable;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  readonly settings: Settings;
  readonly newId: UlidSource;
  readonly background: Background;
  /**
   * Key for hashing typed names that match no user; the hash identifies the failure counter of such a name. People
   * sometimes type their password as the name. So the key stays in memory: without it, nobody can check a guess against
   * the stored hash.
   */
  readonly unknownNameKey: Uint8Array;
}

/** Actor in the audit log: a user id or one of the fixed names. */
export type Actor = string;
export const SYSTEM: Actor = 'system';

export function newSecret({ random }: Pick<Dependencies, 'random'>, kind: SecretKind): string {
  return encodeSecret(kind, random.bytes(SECRET_BYTES));
}
