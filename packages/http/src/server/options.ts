import { MEBIBYTE, SECOND } from '@holdfast/base';
import type { Logger } from 'pino';

import type { IdempotencyStore } from '../idempotency/idempotency.ts';
import type { ReadinessCheck } from '../observe/readiness.ts';
import type { Authenticate } from '../request/principal.ts';
import type { ProxySignIn } from '../request/proxy-user.ts';
import type { UploadSettings } from '../request/uploads.ts';
import type { App } from '../routes/route.ts';
import type { Site } from '../site/site.ts';
import type { StreamSettings } from '../sse/registry.ts';

export interface Limits {
  readonly bodyBytes: number;
  readonly bodyTimeoutMs: number;
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
  /** Origins in addition to those of the listening address. */
  readonly origins?: readonly string[];
  /** Addresses or networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Lets a trusted proxy sign users in. */
  readonly proxySignIn?: ProxySignIn | undefined;
  readonly site?: Site;
  readonly logger?: Logger;
  readonly readiness?: readonly ReadinessCheck[];
  /** Defaults to memory. */
  readonly idempotency?: IdempotencyStore;
  readonly limits?: Partial<Limits>;
  readonly streams?: Partial<StreamSettings>;
  readonly uploads?: Partial<UploadSettings>;
  readonly now?: () => number;
}
