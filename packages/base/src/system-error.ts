/** Code of a system error, for example ENOENT; undefined for any other value. */
export function systemErrorCode(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
