import { type Clock, systemClock } from '@holdfast/base';
import { type Keyspace, type Page, ulidSource } from '@holdfast/keyspace';

import { argon2Hasher, type Hasher } from './adapters/argon2.ts';
import { type Random, systemRandom } from './adapters/random.ts';
import { type SweeperTimer, startTimer } from './adapters/sweeper-timer.ts';
import { accountErrors } from './errors.ts';
import type { HashPolicy } from './model/hash-policy.ts';
import { defaultSettings, type Settings } from './model/limits.ts';
import type { Role } from './model/role.ts';
import { authenticate } from './service/authenticate.ts';
import { Background } from './service/background.ts';
import { changePassword, type ChangePasswordInput } from './service/change-password.ts';
import { createOwner, type CreateOwnerInput, ensureOwner } from './service/create-owner.ts';
import {
  type CreatedSetupLink,
  createSetupLink,
  redeemSetupLink,
  type RedeemSetupLinkInput,
  setupState,
  type SetupState,
} from './service/setup-link.ts';
import {
  type CreatedToken,
  createToken,
  type CreateTokenInput,
  listTokens,
  revokeToken,
  type RevokeTokenInput,
} from './service/tokens.ts';
import { createUser, type CreateUserInput, updateUser, type UpdateUserInput } from './service/create-user.ts';
import { deleteUser, type DeleteUserInput } from './service/delete-user.ts';
import { type Actor, type Dependencies } from './service/dependencies.ts';
import { findReply, type RememberedReply, rememberReply, type ReplyId } from './service/replies.ts';
import { findUser, listRoles, listUsers, type PageInput } from './service/find-user.ts';
import { currentPolicy, setHashPolicy } from './service/hash-password.ts';
import { defaultHashingLimits, type HashingLimits, limitHasher } from './service/limit-hasher.ts';
import { type AuditEntry, type AuditFilter, listAudit } from './service/audit.ts';
import {
  listSessions,
  logout,
  revokeSession,
  type RevokeSessionInput,
  revokeSessions,
  type RevokeSessionsInput,
  type Rotated,
  rotateSession,
} from './service/sessions.ts';
import { login, type LoginInput } from './service/login.ts';
import type { Principal } from './service/principal.ts';
import { setPassword, type SetPasswordInput } from './service/set-password.ts';
import { setRoles, type SetRolesInput, setStatus, type SetStatusInput } from './service/set-roles.ts';
import type { SignedIn } from './service/start-session.ts';
import { sweep, type Swept } from './service/sweep.ts';
import type { SessionView, TokenView, UserView } from './service/views.ts';
import { version } from './store/meta.ts';

export interface AccountsOptions {
  /** From `openAccountsKeyspace`. The caller closes it, after `settled()`. */
  readonly keyspace: Keyspace;
  readonly settings?: Partial<Settings>;
  readonly hashing?: HashingLimits;
  /** Called for errors of background work, such as recording when a session was last seen. */
  readonly onBackgroundError?: (error: unknown) => void;
  /** Replaced in tests. */
  readonly clock?: Clock;
  readonly random?: Random;
  readonly hasher?: Hasher;
}

export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { keyspace, clock = systemClock, random = systemRandom } = options;
  if ((await keyspace.get(version, {})) === 0) {
    throw accountErrors.NOT_AN_ACCOUNTS_DATABASE('The keyspace has no accounts schema');
  }
  return new Accounts({
    keyspace,
    clock,
    random,
    hasher: limitHasher(options.hasher ?? argon2Hasher, options.hashing ?? defaultHashingLimits),
    settings: { ...defaultSettings, ...options.settings },
    newId: ulidSource({ now: clock, random: (bytes) => bytes.set(random.bytes(bytes.length)) }),
    background: new Background(options.onBackgroundError ?? (() => undefined)),
    unknownNameKey: random.bytes(32),
  });
}

/**
 * Users, passwords, sessions, tokens and roles. Each method lives in its own file in `service/`. Methods do not check
 * the caller; use `authenticate` and `can`.
 */
export class Accounts {
  readonly #own: Dependencies;

  /** Use `openAccounts`. */
  constructor(dependencies: Dependencies) {
    this.#own = dependencies;
  }

  // The first user

  setupState = (): Promise<SetupState> => setupState(this.#own);
  createSetupLink = (): Promise<CreatedSetupLink> => createSetupLink(this.#own);
  redeemSetupLink = (input: RedeemSetupLinkInput): Promise<SignedIn> => redeemSetupLink(this.#own, input);
  createOwner = (input: CreateOwnerInput): Promise<UserView> => createOwner(this.#own, input);
  ensureOwner = (input: CreateOwnerInput): Promise<{ readonly user: UserView; readonly created: boolean }> =>
    ensureOwner(this.#own, input);

  // Sign-in

  login = (input: LoginInput): Promise<SignedIn> => login(this.#own, input);
  logout = (token: string): Promise<void> => logout(this.#own, token);
  authenticate = (secret: string): Promise<Principal> => authenticate(this.#own, secret);

  // Users

  createUser = (input: CreateUserInput): Promise<UserView> => createUser(this.#own, input);
  findUser = (typed: string): Promise<UserView> => findUser(this.#own, typed);
  listUsers = (input?: PageInput): Promise<Page<UserView>> => listUsers(this.#own, input);
  updateUser = (input: UpdateUserInput): Promise<UserView> => updateUser(this.#own, input);
  setRoles = (input: SetRolesInput): Promise<UserView> => setRoles(this.#own, input);
  setStatus = (input: SetStatusInput): Promise<UserView> => setStatus(this.#own, input);
  deleteUser = (input: DeleteUserInput): Promise<void> => deleteUser(this.#own, input);
  listRoles = (): Promise<readonly Role[]> => listRoles(this.#own);

  // Passwords

  setPassword = (input: SetPasswordInput): Promise<void> => setPassword(this.#own, input);
  changePassword = (input: ChangePasswordInput): Promise<{ readonly token: string | undefined }> =>
    changePassword(this.#own, input);
  hashPolicy = (): Promise<HashPolicy> => currentPolicy(this.#own);
  setHashPolicy = (policy: Omit<HashPolicy, 'version'>, actor?: Actor): Promise<void> =>
    setHashPolicy(this.#own, policy, actor);

  // Sessions

  listSessions = (userId: string): Promise<readonly SessionView[]> => listSessions(this.#own, userId);
  rotateSession = (token: string): Promise<Rotated> => rotateSession(this.#own, token);
  revokeSession = (input: RevokeSessionInput): Promise<void> => revokeSession(this.#own, input);
  revokeSessions = (input: RevokeSessionsInput): Promise<number> => revokeSessions(this.#own, input);

  // Personal tokens

  createToken = (input: CreateTokenInput): Promise<CreatedToken> => createToken(this.#own, input);
  listTokens = (userId: string): Promise<readonly TokenView[]> => listTokens(this.#own, userId);
  revokeToken = (input: RevokeTokenInput): Promise<void> => revokeToken(this.#own, input);

  // Answers to requests with an Idempotency-Key

  findReply = (id: ReplyId): Promise<RememberedReply | undefined> => findReply(this.#own, id);
  rememberReply = (id: ReplyId, reply: RememberedReply, expiresAt: number): Promise<void> =>
    rememberReply(this.#own, id, reply, expiresAt);

  // Maintenance

  now = (): number => this.#own.clock();

  listAudit = (input?: AuditFilter): Promise<Page<AuditEntry>> => listAudit(this.#own, input);
  sweep = (): Promise<Swept> => sweep(this.#own);
  /** Sweeps regularly until stopped. */
  startSweeper = (everyMs: number, onError: (error: unknown) => void): SweeperTimer =>
    startTimer(() => sweep(this.#own), everyMs, onError);
  /** Resolves when background writes have ended; await it before closing the keyspace. */
  settled = (): Promise<void> => this.#own.background.settled();
}
