/**
 * Names under which people put credentials into addresses. Requests that do so are refused, whoever sends them. `session`
 * is not among them: plans and workers have sessions that are no secret.
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
