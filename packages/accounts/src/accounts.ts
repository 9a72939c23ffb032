import { type Clock, systemClock } from '@holdfast/base';
import { type Keyspace, LeasedWork, type OnUnreadable, ulidSource } from '@holdfast/keyspace';

import { argon2Hasher, type Hasher } from './adapters/argon2.ts';
import { type Random, systemRandom } from './adapters/random.ts';
import { accountErrors } from './errors.ts';
import { defaultSettings, type Settings } from './model/limits.ts';
import { listAudit } from './service/audit.ts';
import {
  hasIdentity,
  linkIdentity,
  loginByIdentity,
  loginByProxy,
  recordRefusedIdentity,
  unlinkIdentity,
} from './service/external-sign-in.ts';
import { authenticate, touchToken } from './service/authenticate.ts';
import { Background } from './service/background.ts';
import { changePassword, setPassword } from './service/change-password.ts';
import { createOwner, createSetupLink, ensureOwner, redeemSetupLink, setupState } from './service/owner.ts';
import { createUser, updateUser } from './service/create-user.ts';
import { deleteUser, setRoles, setStatus } from './service/manage-user.ts';
import type { Dependencies } from './service/dependencies.ts';
import { findUser, listRoles, listUsers } from './service/find-user.ts';
import { currentPolicy, setHashPolicy } from './service/hash-password.ts';
import { defaultHashingLimits, type HashingLimits, limitHasher } from './service/limit-hasher.ts';
import { login, loginProgram } from './service/login.ts';
import { findReply, rememberReply } from './service/idempotency-replies.ts';
import { listSessions, logout, revokeSession, revokeSessions } from './service/sessions.ts';
import { listSnoozes, snooze } from './service/snoozes.ts';
import { sealingKey } from './service/sealing-key.ts';
import { sweep } from './service/sweep.ts';
import { createToken, listTokens, revokeToken } from './service/tokens.ts';
import { version } from './store/schema.ts';

export interface AccountsOptions {
  /** Comes from `openAccountsKeyspace`. The caller closes it after `settled()` has resolved. */
  readonly keyspace: Keyspace;
  readonly settings?: Partial<Settings>;
  readonly hashing?: HashingLimits;
  /** Called for each damaged record that is left out of a list or ignored at sign-in. */
  readonly onUnreadable?: OnUnreadable;
  /** Called for errors in background work, such as recording when a session was last seen. */
  readonly onBackgroundError?: (error: unknown) => void;
  /** Defaults to the system clock; tests set their own. */
  readonly clock?: Clock;
  readonly random?: Random;
  readonly hasher?: Hasher;
}

export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { keyspace, onUnreadable = () => undefined, clock = systemClock, random = systemRandom } = options;
  if ((await keyspace.get(version, {})) === 0) {
    throw accountErrors.NOT_AN_ACCOUNTS_DATABASE('The keyspace has no accounts schema');
  }
  return bind({
    keyspace,
    onUnreadable,
    reader: keyspace.leavingOut(onUnreadable),
    clock,
    random,
    hasher: limitHasher(options.hasher ?? argon2Hasher, options.hashing ?? defaultHashingLimits),
    settings: { ...defaultSettings, ...options.settings },
    newId: ulidSource({ now: clock, random: (bytes) => bytes.set(random.bytes(bytes.length)) }),
    background: new Background(options.onBackgroundError ?? (() => undefined)),
    unknownNameKey: random.bytes(32),
  });
}

const operations = {
  // The first user
  setupState,
  createSetupLink,
  redeemSetupLink,
  createOwner,
  ensureOwner,
  // Sign-in
  login,
  loginProgram,
  loginByProxy,
  loginByIdentity,
  recordRefusedIdentity,
  linkIdentity,
  unlinkIdentity,
  hasIdentity,
  sealingKey,
  logout,
  authenticate,
  // Users
  createUser,
  findUser,
  listUsers,
  updateUser,
  setRoles,
  setStatus,
  deleteUser,
  listRoles,
  // Passwords
  setPassword,
  changePassword,
  hashPolicy: currentPolicy,
  setHashPolicy,
  // Sessions and personal tokens
  listSessions,
  revokeSession,
  revokeSessions,
  createToken,
  listTokens,
  revokeToken,
  touchToken,
  // Answers to requests with an Idempotency-Key
  findReply,
  rememberReply,
  // Inbox items that a user has snoozed
  listSnoozes,
  snooze,
  // Maintenance
  listAudit,
  sweep,
};

type Bound<F> = F extends (own: Dependencies, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;

/**
 * All functions in `service/` (users, passwords, sessions, tokens and roles), bound to one keyspace. They do not check
 * the caller's permissions; use `authenticate` and `can`.
 */
export type Accounts = { readonly [Name in keyof typeof operations]: Bound<(typeof operations)[Name]> } & {
  now(): number;
  /**
   * Calls `sweep` every `everyMs` milliseconds until stopped. If several processes do this, only one at a time sweeps.
   */
  startSweeper(everyMs: number, onError: (error: unknown) => void): LeasedWork;
  /** Resolves when background writes have ended; await it before closing the keyspace. */
  settled(): Promise<void>;
};

function bind(own: Dependencies): Accounts {
  const bound = Object.entries(operations).map(([name, operation]) => [
    name,
    (operation as (own: Dependencies, ...rest: unknown[]) => unknown).bind(undefined, own),
  ]);
  return {
    ...(Object.fromEntries(bound) as { [Name in keyof typeof operations]: Bound<(typeof operations)[Name]> }),
    now: own.clock,
    startSweeper: (everyMs, onError) =>
      new LeasedWork({
        keyspace: own.keyspace,
        name: 'sweep',
        everyMs,
        work: ({ keyspace }) => sweep({ ...own, keyspace }),
        onError,
      }),
    settled: () => own.background.settled(),
  };
}
