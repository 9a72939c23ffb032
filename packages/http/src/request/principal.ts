/** The account or token that makes a request. */
export interface Principal {
  readonly userId: string;
  readonly name: string;
  /** Already expanded from roles and narrowed to the scope of a token: a route asks for one and looks here. */
  readonly permissions: ReadonlySet<string>;
  readonly kind: 'session' | 'token';
}

/**
 * All that authentication gets to see. It has no address on purpose: a credential in the URL cannot be accepted by
 * somebody who never sees the URL.
 */
export interface Credentials {
  readonly headers: Pick<Headers, 'get'>;
  /** True when the client came over TLS, to us or to the named proxy: then the cookie is the one with `__Host-`. */
  readonly isSecure: boolean;
}

/** Undefined when there is no credential or it is not valid; both look the same to the client. */
export type Authenticate = (request: Credentials) => Promise<Principal | undefined> | Principal | undefined;
