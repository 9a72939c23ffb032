import { defineErrors } from '@holdfast/base';

/** Errors of the request pipeline. Applications have their own tables. */
export const httpErrors = defineErrors({
  ROUTE_WITHOUT_PERMISSION: {
    kind: 'failed',
    means: 'A route was registered that does not say who may use it. The server does not start.',
    hint: "Give the route a permission such as np:read, or say 'public' explicitly.",
  },
  ROUTE_INVALID: {
    kind: 'failed',
    means: 'A route contradicts itself or another route. The server does not start.',
    hint: 'The message names the route and what is wrong with it.',
  },
  SITE_INVALID: {
    kind: 'failed',
    means: 'The folder of built pages is missing, has no index.html, or is too large to be one.',
    hint: 'Build the pages first: npm run build.',
  },
  PORT_TAKEN: {
    kind: 'unavailable',
    means: 'Another program already listens on this port.',
    hint: 'Stop the other program, or choose another port with --port.',
  },
  PORT_FORBIDDEN: {
    kind: 'usage',
    means: 'The operating system does not let this user listen on this port.',
    hint: 'Choose a port above 1023 with --port.',
  },
  ADDRESS_UNAVAILABLE: {
    kind: 'usage',
    means: 'This machine has no such address to listen on.',
    hint: 'Choose one of its own addresses with --host; 127.0.0.1 always exists.',
  },
  LISTEN_UNPROTECTED: {
    kind: 'usage',
    means: 'The server was asked to listen beyond this machine without TLS and without a named proxy in front of it.',
    hint: 'Give a certificate and key, or name the trusted proxy, or listen on 127.0.0.1.',
  },
  ORIGIN_INVALID: {
    kind: 'usage',
    means: 'A configured address of the server is not an origin such as https://holdfast.example.',
    hint: 'Write scheme, host and, if it is not the usual one, port; no path.',
  },
  HOST_NOT_ALLOWED: {
    kind: 'usage',
    means: 'The request names a host that this server does not answer for. This stops DNS rebinding.',
    hint: 'Use the address that the server printed when it started, or add this one to its origins.',
  },
  CROSS_ORIGIN_REFUSED: {
    kind: 'usage',
    means: 'The request was made by a page of another origin. This stops other sites from acting in your name.',
    hint: 'Open the dashboard under the address of this server. Programs send neither Origin nor cookies, but a token.',
  },
  TOKEN_IN_URL: {
    kind: 'usage',
    means: 'A credential was sent in the address, where histories, logs and proxies keep it.',
    hint: 'Send it as `Authorization: Bearer …`. Revoke the one that was sent: treat it as known to others.',
  },
  UNAUTHENTICATED: {
    kind: 'usage',
    means: 'The route needs a signed-in user or a token, and the request has none that is valid.',
    hint: 'Sign in again, or send `Authorization: Bearer …` with a token from `holdfast token create`.',
  },
  FORBIDDEN: {
    kind: 'usage',
    means: 'The user or token is known, but does not have the permission that the route asks for.',
    hint: 'The message names the permission; an administrator can grant it.',
  },
  ROUTE_NOT_FOUND: {
    kind: 'not_found',
    means: 'The server has nothing at this address.',
    hint: 'See /openapi.json for all addresses.',
  },
  METHOD_NOT_ALLOWED: {
    kind: 'usage',
    means: 'The address exists, but not with this method.',
    hint: 'The Allow header lists the methods it has.',
  },
  REQUEST_MALFORMED: {
    kind: 'usage',
    means: 'The request is not valid HTTP, or its headers are larger than the server accepts.',
    hint: 'Check the program that sent it.',
  },
  VALIDATION_FAILED: {
    kind: 'usage',
    means: 'A parameter, header or the body does not fit its schema.',
    hint: '`errors` lists each place and what is wrong there.',
  },
  BODY_NOT_JSON: {
    kind: 'usage',
    means: 'The body is not valid JSON in UTF-8.',
    hint: 'Check the body with a JSON parser.',
  },
  BODY_TOO_LARGE: {
    kind: 'usage',
    means: 'The body is larger than the route accepts.',
    hint: 'The message names the limit; send less at once.',
  },
  BODY_TOO_SLOW: {
    kind: 'usage',
    means: 'The body did not arrive in time.',
    hint: 'Repeat the request on a better connection.',
  },
  CONTENT_TYPE_UNSUPPORTED: {
    kind: 'usage',
    means: 'The body is of a type that the route does not take.',
    hint: 'Send `Content-Type: application/json`, or one of the types that the message names.',
  },
  RANGE_NOT_SATISFIABLE: {
    kind: 'usage',
    means: 'The range begins after the last byte, or asks for none.',
    hint: 'Content-Range tells how many bytes there are.',
  },
  REQUEST_TIMEOUT: {
    kind: 'unavailable',
    means: 'The server did not finish the request within the time limit.',
    hint: 'Try again; a write may have happened, so repeat it with the same Idempotency-Key.',
  },
  PRECONDITION_FAILED: {
    kind: 'conflict',
    means: 'The thing was changed since it was read: If-Match names another version.',
    hint: 'Read it again, apply the change to what is there now, and repeat with the new ETag.',
  },
  PRECONDITION_REQUIRED: {
    kind: 'usage',
    means: 'The write would overwrite whatever is there, because it does not say which version it changes.',
    hint: 'Read the current version, and send its ETag as If-Match.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    kind: 'usage',
    means: 'The Idempotency-Key is empty, too long, or has characters other than visible ASCII.',
    hint: 'Use a fresh random UUID for each thing to create.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    kind: 'conflict',
    means: 'The same Idempotency-Key was used before with another request.',
    hint: 'Use a new key for a new request; the old key repeats the old one.',
  },
  TOO_MANY_UPLOADS: {
    kind: 'unavailable',
    means: 'The server already receives as many uploads as it accepts, in total or from this user.',
    hint: 'Wait until other uploads have finished, then try again.',
  },
  TOO_MANY_LISTENERS: {
    kind: 'unavailable',
    means: 'The server already has as many event streams as it accepts, in total or of this user.',
    hint: 'Close other tabs or programs that follow this server, and try again.',
  },
  NOT_READY: {
    kind: 'unavailable',
    means: 'The server runs, but something it needs does not work, or it is shutting down.',
    hint: 'The message names the failing checks; the log of the server says more.',
  },
  INTERNAL: {
    kind: 'failed',
    means: 'Something happened that the program does not expect: a bug, or a fault of the machine.',
    hint: 'Look for the request id in the log of the server, and report it.',
  },
});
