import { MEBIBYTE, SECOND } from '@holdfast/base';
import type { Logger } from 'pino';

import type { IdempotencyStore } from '../idempotency/store.ts';
import type { ReadinessCheck } from '../observe/readiness.ts';
import type { Authenticate } from '../request/principal.ts';
import type { App } from '../routes/app.ts';
import type { Site } from '../site/site.ts';
import type { StreamSettings } from '../sse/registry.ts';

export interface Limits {
  /** A JSON body; a route may say otherwise. */
  readonly bodyBytes: number;
  /** How long a body may take to arrive. */
  readonly bodyTimeoutMs: number;
  /** How long a handler may take; a route may say otherwise. */
  readonly handlerTimeoutMs: number;
}

export const defaultLimits: Limits = {
  bodyBytes: MEBIBYTE,
  bodyTimeoutMs: 15 * SECOND,
  handlerTimeoutMs: 30 * SECOND,
};

export interface ServerOptions {
  readonly apps: readonly App[];
  readonly authenticate: Authenticate;
  readonly info: { readonly title: string; readonly version: string };
  /** Under which origins the server is reached, besides the loopback address it listens on. */
  readonly origins?: readonly string[];
  /** Whose X-Forwarded-For is believed: addresses or networks. */
  readonly trustedProxies?: readonly string[];
  readonly site?: Site;
  readonly logger?: Logger;
  readonly readiness?: readonly ReadinessCheck[];
  /** Without one, routes that accept an Idempotency-Key remember answers in memory. */
  readonly idempotency?: IdempotencyStore;
  readonly limits?: Partial<Limits>;
  readonly streams?: Partial<StreamSettings>;
  readonly now?: () => number;
}
