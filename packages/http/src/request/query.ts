import { httpErrors } from '../errors.ts';

export type QueryValues = Readonly<Record<string, string | string[]>>;

const NOTHING: QueryValues = Object.freeze({});

/**
 * Returns query values by name; repeated names become lists. Refuses credentials in the URL on every route: such
 * credentials have already leaked, and the error tells the sender so. `tolerated` lists a mounted app's exceptions.
 */
export function readQuery(url: string, tolerated: readonly string[] = []): QueryValues {
  const start = url.indexOf('?');
  if (start < 0) return NOTHING;
  const values = Object.create(null) as Record<string, string | string[]>;
  const end = url.indexOf('#', start);
  for (const [name, value] of new URLSearchParams(url.slice(start + 1, end < 0 ? undefined : end))) {
    if (credentialNames.has(name.toLowerCase()) && !tolerated.includes(name))
      throw httpErrors.TOKEN_IN_URL('Do not send credentials in the URL');
    const held = values[name];
    if (held === undefined) values[name] = value;
    else if (Array.isArray(held)) held.push(value);
    else values[name] = [held, value];
  }
  return values;
}

/**
 * Query names that commonly hold credentials; such requests are refused. `session` is not listed: plans and workers
 * have sessions that are not secret.
 */
export const credentialNames: ReadonlySet<string> = new Set([
  'access_token',
  'api-key',
  'api_key',
  'apikey',
  'authorization',
  'bearer',
  'id_token',
  'jwt',
  'passwd',
  'password',
  'refresh_token',
  'secret',
  'token',
]);
