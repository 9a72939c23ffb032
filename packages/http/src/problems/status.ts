import type { ErrorKind } from '@holdfast/base';

/** HTTP status by kind of error; `statusByCode` overrides it. */
const statusByKind: Readonly<Record<ErrorKind, number>> = {
  failed: 500,
  usage: 400,
  not_found: 404,
  conflict: 409,
  unavailable: 503,
};

/**
 * Codes with their own status. Applications add rows for their services, which need not know HTTP: `{ LOGIN_THROTTLED:
 * 429 }`.
 */
const statusByCode: Statuses = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  CROSS_ORIGIN_REFUSED: 403,
  METHOD_NOT_ALLOWED: 405,
  BODY_TOO_SLOW: 408,
  PRECONDITION_FAILED: 412,
  BODY_TOO_LARGE: 413,
  CONTENT_TYPE_UNSUPPORTED: 415,
  RANGE_NOT_SATISFIABLE: 416,
  HOST_NOT_ALLOWED: 421,
  VALIDATION_FAILED: 422,
  PRECONDITION_REQUIRED: 428,
};

export type Statuses = Readonly<Record<string, number>>;

export function statusOf(code: string, kind: ErrorKind, overrides: Statuses = {}): number {
  return overrides[code] ?? statusByCode[code] ?? statusByKind[kind];
}
