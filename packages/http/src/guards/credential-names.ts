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
