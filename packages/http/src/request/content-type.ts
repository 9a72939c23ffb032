import { httpErrors } from '../errors.ts';

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
