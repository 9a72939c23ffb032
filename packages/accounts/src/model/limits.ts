import { DAY, HOUR, MINUTE } from '@holdfast/base';

/** Limits on everything that can grow, so that all of a user's data fits into one transaction. */
export const limits = {
  sessionsPerUser: 50,
  tokensPerUser: 100,
  devicesPerUser: 20,
  passwordBytes: 1_024,
  passwordCharactersMin: 12,
  usernameCharacters: 64,
  emailBytes: 254,
  tokenNameCharacters: 64,
  userAgentCharacters: 256,
  sweepBatch: 200,
} as const;

export interface Settings {
  /** Idle lifetime of a session. */
  readonly sessionIdleMs: number;
  /** Maximum lifetime of a session. */
  readonly sessionAbsoluteMs: number;
  /** Lifetime of the one-time setup link. */
  readonly setupLinkMs: number;
  /**
   * Minimum interval between writes of "last seen" and "last used", so that most requests write nothing. The idle
   * lifetime counts from the written time and must be several times longer than this interval.
   */
  readonly touchEveryMs: number;
  /** How long a browser counts as known after a sign-in. */
  readonly deviceMs: number;
  /** How long expired tokens stay listed, so their owner sees why a program stopped working. */
  readonly expiredTokenShownMs: number;
  readonly auditKeptMs: number;
  /** Number of audit entries that are kept regardless of age, so that a clock that jumps ahead cannot empty the log. */
  readonly auditEntriesMin: number;
  readonly auditEntriesMax: number;
}

export const defaultSettings: Settings = {
  sessionIdleMs: 7 * DAY,
  sessionAbsoluteMs: 30 * DAY,
  setupLinkMs: HOUR,
  touchEveryMs: MINUTE,
  deviceMs: 180 * DAY,
  expiredTokenShownMs: 30 * DAY,
  auditKeptMs: 90 * DAY,
  auditEntriesMin: 1_000,
  auditEntriesMax: 100_000,
};
