import { defineErrors } from '@holdfast/base';

/** Errors from the request pipeline. Applications have their own tables. */
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
    means: 'The folder with the built dashboard is missing, has no index.html, or is too large.',
    hint: 'Build the dashboard first: npm run build.',
  },
  FOLDER_NOT_OFFERED: {
    kind: 'not_found',
    means: 'The folder does not exist, or it is outside the folders that the server allows.',
    hint: 'Choose a folder from the list, or add its parent to notebook_roots in holdfast.toml.',
  },
  DEMO_EXISTS: {
    kind: 'conflict',
    means: 'The demo already exists, or its folder does.',
    hint: 'First remove the demo on the Home page, or rename the folder that the message names.',
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
    means: 'The address to listen on does not belong to this machine.',
    hint: "Choose one of this machine's addresses with --host; 127.0.0.1 always exists.",
  },
  SERVER_CLOCK_WRONG: {
    kind: 'failed',
    means:
      'The clock shows a time before this version was released. The server does not start, because expired sessions and ' +
      'tokens would be valid again.',
    hint: 'Set the clock, for example with `timedatectl set-ntp true`, and start the server again.',
  },
  SERVER_CONFIG_INVALID: {
    kind: 'usage',
    means: 'holdfast.toml is not valid TOML, has an unknown key, or has a value of the wrong type.',
    hint: 'Correct the line that the message names. docs/server.md lists all keys.',
  },
  TLS_FILE_INVALID: {
    kind: 'usage',
    means: 'The TLS certificate or private key cannot be read, is not PEM, or the two do not belong together.',
    hint: 'Check the files that --tls-cert and --tls-key name, and make sure that the server may read them.',
  },
  SERVICE_MANAGER_MISSING: {
    kind: 'unavailable',
    means: 'Neither systemd nor, on macOS, launchd is available.',
    hint: 'If your system has another service manager, let it run `holdfast serve`.',
  },
  SERVICE_FAILED: {
    kind: 'failed',
    means: 'The service manager refused a command, or the service file cannot be written.',
    hint: 'Follow the message. System services require root: sudo holdfast service install --system.',
  },
  SERVICE_NOT_INSTALLED: {
    kind: 'not_found',
    means: 'The server is not installed as a service for this user or, with --system, for this machine.',
    hint: 'Install it with: holdfast service install',
  },
  LISTEN_UNPROTECTED: {
    kind: 'usage',
    means: 'Other machines could reach the server without TLS and without a trusted proxy in front of it.',
    hint: 'Pass --tls-cert and --tls-key, name the proxy with --trusted-proxy, or listen on 127.0.0.1.',
  },
  LAN_ADDRESS_MISSING: {
    kind: 'unavailable',
    means: 'The machine has no local network address, so phones cannot reach it.',
    hint: 'Connect the machine to a network, or give the address to listen on with --host.',
  },
  ORIGIN_INVALID: {
    kind: 'usage',
    means:
      'A configured origin or proxy address is not valid, or an origin is missing. An origin looks like https://holdfast.example.',
    hint: 'Give the scheme and the host, without a path. Add the port if it is not the default port.',
  },
  HOST_NOT_ALLOWED: {
    kind: 'usage',
    means: 'The Host header names a host that this server does not serve. This check prevents DNS rebinding.',
    hint: 'Use the address that the server printed when it started, or allow your address with --origin.',
  },
  CROSS_ORIGIN_REFUSED: {
    kind: 'usage',
    means: 'A page from another origin sent the request. This check stops other sites from acting in your name.',
    hint: "Open the dashboard at this server's address. Programs must send a token, and must send neither an Origin header nor cookies.",
  },
  PROXY_HEADER_REFUSED: {
    kind: 'usage',
    means:
      'The request has the header in which the reverse proxy names the signed-in user, but the request does not come ' +
      "from a trusted proxy: the sender's address is not in trusted_proxies, or the proxy's secret is missing or " +
      'wrong.',
    hint: 'Open the dashboard through the proxy. The proxy must send X-Holdfast-Proxy-Secret; see docs/server.md.',
  },
  SIGN_IN_CONFIG_INVALID: {
    kind: 'usage',
    means: 'The settings for sign-in through a reverse proxy or OpenID Connect are incomplete or cannot be used.',
    hint: 'Correct the setting that the message names. docs/server.md describes both kinds of sign-in.',
  },
  TOKEN_IN_URL: {
    kind: 'usage',
    means: 'A credential was sent in the URL. Browser history, logs and proxies store URLs.',
    hint: 'Send it as `Authorization: Bearer …`. Revoke this credential, because others may have seen it.',
  },
  UNAUTHENTICATED: {
    kind: 'usage',
    means: 'The route requires a valid session or token, and the request has neither.',
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
    hint: 'Check the program that sent the request.',
  },
  VALIDATION_FAILED: {
    kind: 'usage',
    means: 'A parameter, a header or the body does not match its schema.',
    hint: 'Correct the fields that `errors` lists.',
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
    means: 'The requested byte range is empty or starts after the last byte.',
    hint: 'Request a range within the content; the Content-Range header gives the size in bytes.',
  },
  REQUEST_TIMEOUT: {
    kind: 'unavailable',
    means: 'The server did not finish the request within the time limit.',
    hint: 'Try again. A write may already have happened, so repeat it with the same Idempotency-Key.',
  },
  PRECONDITION_FAILED: {
    kind: 'conflict',
    means: 'The resource has changed since it was read: If-Match names another version.',
    hint: 'Read the resource again, apply your change to the current version, and send the new ETag.',
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
  SERVER_UNREACHABLE: {
    kind: 'unavailable',
    means: 'The server at the given address does not answer.',
    hint: 'Check the address, and that the server is running.',
  },
  NOT_READY: {
    kind: 'unavailable',
    means: 'The server is shutting down, or something it needs is not working.',
    hint: 'The message names the failed checks; the server log has details.',
  },
  INTERNAL: {
    kind: 'failed',
    means: 'An unexpected error occurred: a bug in the program, or a hardware or system fault.',
    hint: 'Find the request id in the server log, and report the error.',
  },
});
