/**
 * Headers of every response. `page` is for our own pages, `frame` for documents that our pages embed. `data` is for
 * everything else and forbids scripts and embedding, so that a user's file opened in a tab cannot run code.
 */

/** `blob:` and `data:` are for covers and the player; `worker-src` is for workers that lay out graphs. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** Allows the inline styles that Mermaid needs to draw users' diagrams. A diagram can load and open nothing. */
const FRAME_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const COMMON = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** Only pages need these; sending them with every answer would cost time. */
const FOR_PAGES = {
  'content-security-policy': PAGE_POLICY,
  'x-frame-options': 'DENY',
  // With `no-referrer`, browsers would send `Origin: null` for our own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

const FOR_FRAMES = {
  ...FOR_PAGES,
  'content-security-policy': FRAME_POLICY,
  'x-frame-options': 'SAMEORIGIN',
} as const;

const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

type HeaderValues = Readonly<Record<string, string>>;

export interface SecurityHeaders {
  readonly page: HeaderValues;
  readonly frame: HeaderValues;
  readonly data: HeaderValues;
  /**
   * `data` plus the headers for JSON answers. Built in advance, because copying an object is much cheaper than
   * extending one.
   */
  readonly json: HeaderValues;
}

function build(isSecure: boolean): SecurityHeaders {
  const common = isSecure ? { ...COMMON, ...TRANSPORT } : COMMON;
  // Caches must not store protected responses; a route may set another value.
  const data = { ...common, 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store', 'x-request-id': '' };
  return {
    page: { ...common, ...FOR_PAGES },
    frame: { ...common, ...FOR_FRAMES },
    data,
    json: { ...data, 'content-type': 'application/json' },
  };
}

const overTls = build(true);
const overPlain = build(false);

export function securityHeaders(isSecure: boolean): SecurityHeaders {
  return isSecure ? overTls : overPlain;
}
