import { DAY, HOUR, MINUTE } from '@holdfast/base';

/** A limit on everything that can grow, so that one transaction can hold all that belongs to a user. */
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

/** What an installation may choose. */
export interface Settings {
  /** A session that nobody uses ends after this. */
  readonly sessionIdleMs: number;
  /** Every session ends after this, used or not. */
  readonly sessionAbsoluteMs: number;
  /** How long the one-time link works. */
  readonly setupLinkMs: number;
  /**
   * "Last seen" and "last used" are written at most this often: a read must not cost a write. The idle limit is counted
   * from what was written, so it has to be several times as long.
   */
  readonly touchEveryMs: number;
  /** How long a browser that signed in is remembered as one that knows the password. */
  readonly deviceMs: number;
  /** How long expired tokens stay in the list, so that their owner sees why a program stopped working. */
  readonly expiredTokenShownMs: number;
  readonly auditKeptMs: number;
  /** Kept however old: a clock that jumps ahead must not empty the log. */
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
