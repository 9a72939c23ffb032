export interface Principal {
  readonly userId: string;
  readonly name: string;
  /** Permissions from the user's roles, limited by the token's scopes. */
  readonly permissions: ReadonlySet<string>;
  readonly kind: 'session' | 'token';
}

/** Input of authentication. It has no URL on purpose, so that no credential in a URL can be accepted. */
export interface Credentials {
  readonly headers: Pick<Headers, 'get'>;
  /** True if the client uses TLS to connect to us or to a trusted proxy. The cookie then has the `__Host-` prefix. */
  readonly isSecure: boolean;
  /** Name of the user that the trusted reverse proxy has signed in. */
  readonly proxyUser: string | undefined;
}

/** Returns undefined both for missing and for invalid credentials, so that clients cannot tell the two apart. */
export type Authenticate = (request: Credentials) => Promise<Principal | undefined> | Principal | undefined;
