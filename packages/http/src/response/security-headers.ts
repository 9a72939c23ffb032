/**
 * Headers that every response has. `page` is for what a browser shows as our own page, `data` for everything else: data
 * that is opened by itself in a tab, a user's file for example, may do nothing at all.
 */

/** Reasons for what is open: `blob:` and `data:` hold covers and players' buffers, workers lay out graphs. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const COMMON = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** These mean something for documents alone; each header costs every answer. */
const FOR_PAGES = {
  'content-security-policy': PAGE_POLICY,
  'x-frame-options': 'DENY',
  // `no-referrer` would make browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

type HeaderValues = Readonly<Record<string, string>>;

export interface SecurityHeaders {
  readonly page: HeaderValues;
  readonly data: HeaderValues;
  /** `data` with all that a JSON answer has besides: a copy of a known shape is much cheaper than one that grows. */
  readonly json: HeaderValues;
}

function build(isSecure: boolean): SecurityHeaders {
  const common = isSecure ? { ...COMMON, ...TRANSPORT } : COMMON;
  // Caches must not keep protected responses; a route may decide otherwise.
  const data = { ...common, 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store', 'x-request-id': '' };
  return { page: { ...common, ...FOR_PAGES }, data, json: { ...data, 'content-type': 'application/json' } };
}

const overTls = build(true);
const overPlain = build(false);

export function securityHeaders(isSecure: boolean): SecurityHeaders {
  return isSecure ? overTls : overPlain;
}
