import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { MEBIBYTE } from '@holdfast/base';

import { httpErrors } from '../errors.ts';
import { contentTag } from '../response/etag.ts';
import { pathFault } from '../routes/path.ts';
import type { RouteEntry } from '../routes/table.ts';
import type { Asset, Encoding, PagePath, Site } from './site.ts';

export interface SiteOptions {
  readonly folder: string;
  /** Addresses of the single-page application. */
  readonly pages: readonly PagePath[];
  /** Files below it have a content hash in the name and are cached for ever. */
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
    index: assetOf('/index.html', index, files, false),
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
  return { content, encoded, type: contentTypeOf(path), etag: contentTag(content), isImmutable };
}

/** Regular visible files only: a link could point anywhere. */
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

/** By file name. Unknown types are offered for download. */
function contentTypeOf(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return TYPES.get(extension) ?? 'application/octet-stream';
}
