export interface Principal {
  readonly userId: string;
  readonly name: string;
  /** Permissions of the user's roles, narrowed to the scopes of the token. */
  readonly permissions: ReadonlySet<string>;
  readonly kind: 'session' | 'token';
}

/** Input of authentication. It has no URL on purpose, so that no credential in a URL can be accepted. */
export interface Credentials {
  readonly headers: Pick<Headers, 'get'>;
  /** True if the client used TLS, to us or to the trusted proxy; the cookie then has the `__Host-` prefix. */
  readonly isSecure: boolean;
}

/** Undefined for missing and invalid credentials alike; clients cannot tell them apart. */
export type Authenticate = (request: Credentials) => Promise<Principal | undefined> | Principal | undefined;
