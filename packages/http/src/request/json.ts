import { httpErrors } from '../errors.ts';

/** Keys that could change an object's prototype, also spelled with JSON escapes. */
const SUSPECT = /__proto__|\\u005f|constructor/i;

/** Parses JSON and rejects keys that reach prototypes: schemas with free-form parts would pass them on. */
export function parseJson(text: string): unknown {
  try {
    return SUSPECT.test(text) ? JSON.parse(text, refusePrototypeKeys) : JSON.parse(text);
  } catch (cause) {
    throw httpErrors.BODY_NOT_JSON('The body is not valid JSON', { cause });
  }
}

function refusePrototypeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not a key');
  if (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')) {
    throw new SyntaxError('constructor.prototype is not a key');
  }
  return value;
}

const JSON_TYPE = /^application\/(?:json|[a-z0-9.+-]+\+json)$/;
const CHARSET = /charset\s*=\s*"?([^";\s]+)/i;

/**
 * Requires JSON. Another site's form can post text and form types without preflight, but never JSON: this check and the
 * origin check would both have to fail.
 */
export function requireJson(contentType: string | null): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';');
  const charset = CHARSET.exec(parameters.join(';'))?.[1]?.toLowerCase() ?? 'utf-8';
  if (!JSON_TYPE.test(type.trim().toLowerCase()) || charset !== 'utf-8') {
    throw httpErrors.CONTENT_TYPE_UNSUPPORTED('The body has to be application/json in UTF-8');
  }
}

export function requireType(contentType: string | null, allowed: readonly string[]): string {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (allowed.includes(type)) return type;
  throw httpErrors.CONTENT_TYPE_UNSUPPORTED(`The body has to be one of ${allowed.join(', ')}`);
}
