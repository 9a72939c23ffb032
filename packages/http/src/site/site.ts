import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MEBIBYTE } from '@holdfast/base';

import { httpErrors } from '../errors.ts';
import { contentTag, isKnown } from '../response/etag.ts';
import type { SecurityHeaders } from '../response/security-headers.ts';
import type { Permission } from '../routes/contract.ts';
import { pathFault } from '../routes/path.ts';
import type { RouteEntry } from '../routes/table.ts';

type Encoding = 'br' | 'gzip';

/** One of the site's files, in memory. */
interface Asset {
  readonly content: Uint8Array;
  /** Precompressed at build time. */
  readonly encoded: Readonly<Partial<Record<Encoding, Uint8Array>>>;
  readonly type: string;
  readonly etag: string;
  readonly isImmutable: boolean;
  /** Selects the headers for this file; see `SecurityHeaders`. */
  readonly security: 'page' | 'frame' | 'data';
}

/** A path in the single-page application: `/plans`, `/plans/{id}`, `/keys/{rest+}`. All other paths return 404. */
type PagePath = string;

/**
 * The content that a built folder had at startup. Files are found by comparing the whole URL path with a list, so no
 * file path is ever built from a request.
 */
export interface Site {
  readonly permission: Permission;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly index: Asset;
  readonly pages: readonly PagePath[];
  readonly entries: readonly RouteEntry[];
}

/** Returns a function that matches the URL path as sent against the page paths. */
function pageMatcher(pages: readonly PagePath[]): (path: string) => boolean {
  const patterns = pages.map((page) => {
    const source = page
      .split('/')
      .map((segment) => {
        if (/^\{\w+\+\}$/.test(segment)) return '.+';
        return /^\{\w+\}$/.test(segment) ? '[^/]+' : segment.replace(/[.~]/g, String.raw`\$&`);
      })
      .join('/');
    return new RegExp(`^${source}$`);
  });
  return (path) => patterns.some((pattern) => pattern.test(path));
}

export interface SiteOptions {
  readonly folder: string;
  /** Paths in the single-page application. */
  readonly pages: readonly PagePath[];
  /** Files below this prefix have a content hash in the name and are cached forever. */
  readonly immutablePrefix?: string;
}

const FILES_MAX = 5_000;
const SITE_BYTES_MAX = 64 * MEBIBYTE;
const suffixes: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/** Reads a built folder once; later changes are not served. */
export async function loadSite({ folder, pages, immutablePrefix = '/assets/' }: SiteOptions): Promise<Site> {
  for (const page of pages) {
    const fault = pathFault(page);
    if (fault !== undefined) throw httpErrors.SITE_INVALID(`The page ${page} ${fault}`);
  }
  const files = await readFiles(folder);
  const assets = new Map<string, Asset>();
  for (const [path, content] of files) {
    const isVariant = Object.keys(suffixes).some(
      (suffix) => path.endsWith(suffix) && files.has(path.slice(0, -suffix.length)),
    );
    if (isVariant || path === '/index.html') continue;
    assets.set(encodeURI(path), assetOf(path, content, files, path.startsWith(immutablePrefix)));
  }
  const index = files.get('/index.html');
  if (index === undefined) throw httpErrors.SITE_INVALID(`${folder} has no index.html`);
  return {
    permission: 'public',
    assets,
    index: { ...assetOf('/index.html', index, files, false), security: 'page' },
    pages,
    entries: [...pages.map((path) => entry(path, 'page')), ...[...assets.keys()].map((path) => entry(path, 'file'))],
  };
}

function entry(path: string, kind: 'page' | 'file'): RouteEntry {
  return { app: 'site', method: 'GET', path, permission: 'public', operationId: '', kind };
}

function assetOf(
  path: string,
  content: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
  isImmutable: boolean,
): Asset {
  const encoded: Partial<Record<Encoding, Uint8Array>> = {};
  for (const [suffix, encoding] of Object.entries(suffixes)) {
    const variant = files.get(path + suffix);
    if (variant !== undefined && variant.byteLength < content.byteLength) encoded[encoding] = variant;
  }
  const type = contentTypeOf(path);
  return { content, encoded, type, etag: contentTag(content), isImmutable, security: securityOf(type) };
}

/** HTML files other than the index are documents that pages embed. */
function securityOf(type: string): Asset['security'] {
  // If an SVG with scripts is opened directly, the scripts would run in this origin.
  if (type === 'image/svg+xml') return 'data';
  return type.startsWith('text/html') ? 'frame' : 'page';
}

/** Reads only regular, visible files, because a link could point to any file. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  const walk = async (absolute: string, path: string): Promise<void> => {
    for (const item of await readdir(absolute, { withFileTypes: true })) {
      if (item.name.startsWith('.')) continue;
      if (item.isDirectory()) await walk(join(absolute, item.name), `${path}/${item.name}`);
      if (!item.isFile()) continue;
      const content = await readFile(join(absolute, item.name));
      bytes += content.byteLength;
      if (bytes > SITE_BYTES_MAX || files.size >= FILES_MAX) {
        throw httpErrors.SITE_INVALID(`${folder} holds more than ${FILES_MAX} files or ${SITE_BYTES_MAX} bytes`);
      }
      files.set(`${path}/${item.name}`, content);
    }
  };
  try {
    await walk(folder, '');
  } catch (cause) {
    if (cause instanceof Error && 'errno' in cause)
      throw httpErrors.SITE_INVALID(`${folder} cannot be read`, { cause });
    throw cause;
  }
  return files;
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    avif: 'image/avif',
    css: 'text/css; charset=utf-8',
    gif: 'image/gif',
    html: 'text/html; charset=utf-8',
    ico: 'image/x-icon',
    jpg: 'image/jpeg',
    js: 'text/javascript; charset=utf-8',
    json: 'application/json',
    map: 'application/json',
    mjs: 'text/javascript; charset=utf-8',
    png: 'image/png',
    svg: 'image/svg+xml',
    txt: 'text/plain; charset=utf-8',
    wasm: 'application/wasm',
    webmanifest: 'application/manifest+json',
    webp: 'image/webp',
    woff2: 'font/woff2',
  }),
);

/** Returns the content type by file extension. Files of unknown types are offered for download. */
function contentTypeOf(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return TYPES.get(extension) ?? 'application/octet-stream';
}

interface SiteAnswer {
  readonly status: 200 | 304 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

type SiteAnswerer = (path: string, headers: Pick<Headers, 'get'>, security: SecurityHeaders) => SiteAnswer | undefined;

const encodings: readonly Encoding[] = ['br', 'gzip'];

/** Finds and serves a site's files and pages. `path` is the URL path as sent, not decoded. */
export function siteAnswerer(site: Site): SiteAnswerer {
  const isPage = pageMatcher(site.pages);
  return (path, headers, security) => {
    const asset = site.assets.get(path) ?? (isPage(path) ? site.index : undefined);
    if (asset !== undefined) return answer(asset, headers, security);
    return isVisit(path, headers) ? { ...answer(site.index, NEVER_SEEN, security), status: 404 } : undefined;
  };
}

/** Returns whether a browser requests an unknown URL. Browsers get a page; other programs get problem details. */
function isVisit(path: string, headers: Pick<Headers, 'get'>): boolean {
  return !path.startsWith('/api/') && headers.get('accept')?.includes('text/html') === true;
}

const NEVER_SEEN: Pick<Headers, 'get'> = { get: () => null };

function answer(asset: Asset, request: Pick<Headers, 'get'>, security: SecurityHeaders): SiteAnswer {
  const headers: Record<string, string> = {
    ...security[asset.security],
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
