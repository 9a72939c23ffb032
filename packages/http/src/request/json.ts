import { httpErrors } from '../errors.ts';

/** A key that would change the prototype of an object it is assigned to; escapes in JSON can spell it, too. */
const SUSPECT = /__proto__|\\u005f|constructor/i;

/** JSON without keys that reach prototypes: schemas with free-form parts would pass them on. */
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
 * Only JSON is taken where JSON is expected. A form of another site can post text and form types without asking first,
 * but never JSON: this check and the origin check have to fail together before anything can be forged.
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
