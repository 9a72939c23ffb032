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

/** Settings of an installation. */
export interface Settings {
  /** Unused sessions end after this. */
  readonly sessionIdleMs: number;
  /** All sessions end after this. */
  readonly sessionAbsoluteMs: number;
  /** Lifetime of the one-time link. */
  readonly setupLinkMs: number;
  /**
   * "Last seen" and "last used" are written at most this often: a read must not cost a write. The idle limit is counted
   * from what was written, so it has to be several times as long.
   */
  readonly touchEveryMs: number;
  /** Time for which a browser that signed in is known as one that had the password. */
  readonly deviceMs: number;
  /** Time for which expired tokens stay listed, so that their owner sees why a program stopped working. */
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
