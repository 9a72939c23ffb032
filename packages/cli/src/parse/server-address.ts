import { commandLineErrors } from '../errors.ts';

/** Returns the address in `--server` without a trailing slash. */
export function serverAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw commandLineErrors.INVALID_ARGUMENT('--server must be an http or https address without a user name.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}
