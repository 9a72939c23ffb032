/** What the system calls the error, ENOENT for example; undefined for anything else that was thrown. */
export function systemErrorCode(error: unknown): string | undefined {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
