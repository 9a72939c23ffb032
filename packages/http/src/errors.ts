import { defineErrors } from '@holdfast/base';

/** Errors of the request pipeline. Applications have their own tables. */
export const httpErrors = defineErrors({
  ROUTE_WITHOUT_PERMISSION: {
    kind: 'failed',
    means: 'A route does not declare who may use it. The server does not start.',
    hint: "Give the route a permission such as np:read, or declare it 'public'.",
  },
  ROUTE_INVALID: {
    kind: 'failed',
    means: 'A route definition is invalid or conflicts with another route. The server does not start.',
    hint: 'Correct the route that the message names.',
  },
  SITE_INVALID: {
    kind: 'failed',
    means: 'The folder with the built pages is missing, has no index.html, or is too large.',
    hint: 'Build the pages first: npm run build.',
  },
  PORT_TAKEN: {
    kind: 'unavailable',
    means: 'Another program is already listening on this port.',
    hint: 'Stop the other program, or choose another port with --port.',
  },
  PORT_FORBIDDEN: {
    kind: 'usage',
    means: 'The operating system does not allow this user to listen on this port.',
    hint: 'Choose a port above 1023 with --port.',
  },
  ADDRESS_UNAVAILABLE: {
    kind: 'usage',
    means: 'This machine does not have the address to listen on.',
    hint: 'Choose an address of this machine with --host; 127.0.0.1 always exists.',
  },
  LISTEN_UNPROTECTED: {
    kind: 'usage',
    means: 'Other machines could reach the server without TLS and without a trusted proxy in front of it.',
    hint: 'Pass --tls-cert and --tls-key, name the proxy with --trusted-proxy, or listen on 127.0.0.1.',
  },
  ORIGIN_INVALID: {
    kind: 'usage',
    means:
      'A configured origin or proxy address is not valid, or an origin is missing. An origin looks like https://holdfast.example.',
    hint: 'Give an origin as scheme, host and, unless it is the default, port, without a path.',
  },
  HOST_NOT_ALLOWED: {
    kind: 'usage',
    means: 'The Host header names a host that this server does not serve. This check prevents DNS rebinding.',
    hint: 'Use the address that the server printed when it started, or add this one with --origin.',
  },
  CROSS_ORIGIN_REFUSED: {
    kind: 'usage',
    means: 'A page of another origin sent the request. This check stops other sites from acting in your name.',
    hint: 'Open the dashboard at the address of this server. Programs must send a token, and neither Origin nor cookies.',
  },
  TOKEN_IN_URL: {
    kind: 'usage',
    means: 'A credential was sent in the URL, which browser history, logs and proxies store.',
    hint: 'Send it as `Authorization: Bearer …`. Revoke this credential, because others may have seen it.',
  },
  UNAUTHENTICATED: {
    kind: 'usage',
    means: 'The route requires a session or a token, and the request has no valid one.',
    hint: 'Sign in again, or send `Authorization: Bearer …` with a token from `holdfast token create`.',
  },
  FORBIDDEN: {
    kind: 'usage',
    means: 'The user or token does not have the permission that the route requires.',
    hint: 'Ask an administrator for the permission that the message names.',
  },
  ROUTE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The server has nothing at this URL.',
    hint: '/openapi.json lists all URLs.',
  },
  METHOD_NOT_ALLOWED: {
    kind: 'usage',
    means: 'The URL exists, but does not support this method.',
    hint: 'The Allow header lists the supported methods.',
  },
  REQUEST_MALFORMED: {
    kind: 'usage',
    means: 'The request is not valid HTTP, or its headers are larger than the server accepts.',
    hint: 'Check the program that sent it.',
  },
  VALIDATION_FAILED: {
    kind: 'usage',
    means: 'A parameter, a header or the body does not match its schema.',
    hint: '`errors` lists each invalid field and what is wrong with it.',
  },
  BODY_NOT_JSON: {
    kind: 'usage',
    means: 'The body is not valid JSON in UTF-8.',
    hint: 'Check the body with a JSON parser.',
  },
  BODY_TOO_LARGE: {
    kind: 'usage',
    means: 'The body is larger than the route accepts.',
    hint: 'Send less data per request; the message gives the limit.',
  },
  BODY_TOO_SLOW: {
    kind: 'usage',
    means: 'The body did not arrive in time.',
    hint: 'Repeat the request on a better connection.',
  },
  CONTENT_TYPE_UNSUPPORTED: {
    kind: 'usage',
    means: 'The route does not accept a body of this content type.',
    hint: 'Send `Content-Type: application/json`, or one of the types that the message lists.',
  },
  RANGE_NOT_SATISFIABLE: {
    kind: 'usage',
    means: 'The requested range is empty or starts after the last byte.',
    hint: 'The Content-Range header gives the size in bytes.',
  },
  REQUEST_TIMEOUT: {
    kind: 'unavailable',
    means: 'The server did not finish the request within the time limit.',
    hint: 'Try again. A write may already have happened, so repeat it with the same Idempotency-Key.',
  },
  PRECONDITION_FAILED: {
    kind: 'conflict',
    means: 'The resource has changed since it was read: If-Match names another version.',
    hint: 'Read it again, apply your change to the current version, and send the new ETag.',
  },
  PRECONDITION_REQUIRED: {
    kind: 'usage',
    means: 'The request does not say which version it changes, so it could overwrite a newer one.',
    hint: 'Read the current version and send its ETag as If-Match.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    kind: 'usage',
    means: 'The Idempotency-Key is empty, too long, or contains characters other than visible ASCII.',
    hint: 'Use a new random UUID for each new request.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    kind: 'conflict',
    means: 'This Idempotency-Key was already used for a different request.',
    hint: 'Use a new key for each new request. Reuse a key only to repeat its request.',
  },
  TOO_MANY_UPLOADS: {
    kind: 'unavailable',
    means: 'The server, or this user, has reached the maximum number of simultaneous uploads.',
    hint: 'Wait until other uploads finish, then try again.',
  },
  TOO_MANY_LISTENERS: {
    kind: 'unavailable',
    means: 'The server, or this user, has reached the maximum number of open event streams.',
    hint: 'Close other tabs or programs that follow this server, then try again.',
  },
  NOT_READY: {
    kind: 'unavailable',
    means: 'The server is shutting down, or something it needs is not working.',
    hint: 'The message names the failed checks; the server log has details.',
  },
  INTERNAL: {
    kind: 'failed',
    means: 'An unexpected error occurred: a bug in the program, or a fault of the machine.',
    hint: 'Find the request id in the server log, and report the error.',
  },
});
