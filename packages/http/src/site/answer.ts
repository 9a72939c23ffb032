import { isKnown } from '../response/etag.ts';
import { type SecurityHeaders } from '../response/security-headers.ts';
import { type Asset, type Encoding, pageMatcher, type Site } from './site.ts';

interface SiteAnswer {
  readonly status: 200 | 304 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export type SiteAnswerer = (
  path: string,
  headers: Pick<Headers, 'get'>,
  security: SecurityHeaders,
) => SiteAnswer | undefined;

const encodings: readonly Encoding[] = ['br', 'gzip'];

/** Finds and serves files and pages of a site. `path` is the URL path as sent, not decoded. */
export function siteAnswerer(site: Site): SiteAnswerer {
  const isPage = pageMatcher(site.pages);
  return (path, headers, security) => {
    const asset = site.assets.get(path) ?? (isPage(path) ? site.index : undefined);
    if (asset !== undefined) return answer(asset, headers, security);
    return isVisit(path, headers) ? { ...answer(site.index, NEVER_SEEN, security), status: 404 } : undefined;
  };
}

/** Browsers get a page for an unknown URL; programs and everything below /api get problem details. */
function isVisit(path: string, headers: Pick<Headers, 'get'>): boolean {
  return !path.startsWith('/api/') && headers.get('accept')?.includes('text/html') === true;
}

const NEVER_SEEN: Pick<Headers, 'get'> = { get: () => null };

function answer(asset: Asset, request: Pick<Headers, 'get'>, security: SecurityHeaders): SiteAnswer {
  const headers: Record<string, string> = {
    // An SVG with scripts, opened directly, would run in this origin.
    ...(asset.type === 'image/svg+xml' ? security.data : security.page),
    'cache-control': asset.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-type': asset.type,
    etag: asset.etag,
    vary: 'accept-encoding',
  };
  if (isKnown(request.get('if-none-match'), asset.etag)) return { status: 304, headers, body: null };
  const accepted = acceptedEncodings(request.get('accept-encoding'));
  const encoding = encodings.find((candidate) => accepted.has(candidate) && asset.encoded[candidate] !== undefined);
  const body = encoding === undefined ? asset.content : (asset.encoded[encoding] ?? asset.content);
  if (encoding !== undefined) headers['content-encoding'] = encoding;
  return { status: 200, headers, body };
}

function acceptedEncodings(header: string | null): ReadonlySet<string> {
  const offers = (header ?? '').toLowerCase().split(',');
  const wanted = offers.filter((offer) => !/;\s*q=0(?:\.0*)?\s*$/.test(offer));
  return new Set(wanted.map((offer) => offer.split(';')[0]?.trim() ?? ''));
}
