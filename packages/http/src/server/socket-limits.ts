import { KIBIBYTE, MINUTE, SECOND } from '@holdfast/base';

/** What one connection may cost. Each of these ends a client that keeps a socket without using it. */
export interface SocketLimits {
  readonly headerBytes: number;
  /** How long the headers may take to arrive. */
  readonly headersTimeoutMs: number;
  /** How long a whole request may take to arrive, uploads included. */
  readonly requestTimeoutMs: number;
  /** How long a connection is kept for the next request. */
  readonly keepAliveTimeoutMs: number;
  /** How long no byte may move at all: a client that does not read its answer. */
  readonly idleTimeoutMs: number;
  /** How often the limits above are looked at. */
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
