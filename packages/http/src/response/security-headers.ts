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
  'x-frame-options': 'DENY',
  // `no-referrer` would make browsers send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

const TRANSPORT = { 'strict-transport-security': 'max-age=31536000' } as const;

export interface SecurityHeaders {
  readonly page: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

function build(isSecure: boolean): SecurityHeaders {
  const common = isSecure ? { ...COMMON, ...TRANSPORT } : COMMON;
  return {
    page: { ...common, 'content-security-policy': PAGE_POLICY },
    // What is behind a permission must not be kept by anybody in between; a route may say otherwise.
    data: { ...common, 'content-security-policy': DATA_POLICY, 'cache-control': 'no-store' },
  };
}

const overTls = build(true);
const overPlain = build(false);

export function securityHeaders(isSecure: boolean): SecurityHeaders {
  return isSecure ? overTls : overPlain;
}
