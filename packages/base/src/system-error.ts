/** Returns an error's `code`, for example ENOENT; undefined if the error has none. */
export function systemErrorCode(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
