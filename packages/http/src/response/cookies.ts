/** One cookie with the attributes that a credential needs. */
export interface CookieJar {
  /** Has the prefix `__Host-` over TLS: the browser then sends it only to this host, over TLS, for all paths. */
  readonly name: string;
  /** Returns the `Set-Cookie` value that stores the cookie. */
  set(value: string, maxAgeSeconds: number): string;
  /** Returns the `Set-Cookie` value that removes the cookie. */
  clear(): string;
  read(request: { readonly headers: Pick<Headers, 'get'> }): string | undefined;
}

export interface CookieOptions {
  readonly name: string;
  readonly isSecure: boolean;
  /** `Strict` breaks links from other sites into the dashboard; `Lax` plus the origin check is as safe. */
  readonly sameSite?: 'Lax' | 'Strict';
}

const VALUE = /^[\w!#$%&'()*+\-./:<=>?@[\]^`{|}~]*$/;

export function cookieJar({ name: bareName, isSecure, sameSite = 'Lax' }: CookieOptions): CookieJar {
  const name = isSecure ? `__Host-${bareName}` : bareName;
  const attributes = `; Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
  return {
    name,
    set: (value, maxAgeSeconds) => {
      if (!VALUE.test(value))
        throw new TypeError('A cookie value must not contain spaces, quotes, commas or semicolons');
      return `${name}=${value}; Max-Age=${Math.trunc(maxAgeSeconds)}${attributes}`;
    },
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read: (request) => readCookie(request.headers.get('cookie'), name),
  };
}

/**
 * Returns the cookie if it occurs exactly once. If it occurs twice, another server on this host or domain may have
 * planted one.
 */
export function readCookie(header: string | null, name: string): string | undefined {
  if (header === null) return undefined;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}
