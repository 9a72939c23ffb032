import { KIBIBYTE, MINUTE, SECOND } from '@holdfast/base';

/** Limits of one connection. Each ends a client that keeps a socket without using it. */
export interface SocketLimits {
  readonly headerBytes: number;
  /** Time for the headers to arrive. */
  readonly headersTimeoutMs: number;
  /** Time for a whole request to arrive, uploads included. */
  readonly requestTimeoutMs: number;
  /** Time that a connection waits for the next request. */
  readonly keepAliveTimeoutMs: number;
  /** Time without any traffic: ends a client that does not read its response. */
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
