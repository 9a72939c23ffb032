export interface Principal {
  readonly userId: string;
  readonly name: string;
  /** Expanded from roles and narrowed to the scope of a token. */
  readonly permissions: ReadonlySet<string>;
  readonly kind: 'session' | 'token';
}

/** Input of authentication. It has no URL on purpose: a credential in the URL cannot be accepted. */
export interface Credentials {
  readonly headers: Pick<Headers, 'get'>;
  /** True if the client used TLS, to us or to the trusted proxy; the cookie then has the `__Host-` prefix. */
  readonly isSecure: boolean;
}

/** Undefined for missing and invalid credentials alike; clients cannot tell them apart. */
export type Authenticate = (request: Credentials) => Promise<Principal | undefined> | Principal | undefined;
