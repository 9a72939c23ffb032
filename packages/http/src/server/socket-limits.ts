import { KIBIBYTE, MINUTE, SECOND } from '@holdfast/base';

/** Limits of one connection against clients that hold a socket without using it. */
export interface SocketLimits {
  readonly headerBytes: number;
  /** Time for the headers to arrive. */
  readonly headersTimeoutMs: number;
  /** Time for a whole request to arrive, uploads included. */
  readonly requestTimeoutMs: number;
  /** Time an idle connection waits for the next request. */
  readonly keepAliveTimeoutMs: number;
  /** Time without traffic: ends clients that do not read their response. */
  readonly idleTimeoutMs: number;
  /** Interval at which the limits above are checked. */
  readonly checkEveryMs: number;
  readonly connectionsMax: number;
}

export const defaultSocketLimits: SocketLimits = {
  headerBytes: 16 * KIBIBYTE,
  headersTimeoutMs: 10 * SECOND,
  requestTimeoutMs: 5 * MINUTE,
  keepAliveTimeoutMs: 10 * SECOND,
  idleTimeoutMs: 2 * MINUTE,
  checkEveryMs: SECOND,
  connectionsMax: 10_000,
};
