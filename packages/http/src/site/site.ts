import type { Permission } from '../routes/contract.ts';
import type { RouteEntry } from '../routes/table.ts';

export type Encoding = 'br' | 'gzip';

/** A file of the site in memory. */
export interface Asset {
  readonly content: Uint8Array;
  /** Precompressed at build time. */
  readonly encoded: Readonly<Partial<Record<Encoding, Uint8Array>>>;
  readonly type: string;
  readonly etag: string;
  readonly isImmutable: boolean;
}

/** Paths of the single-page application: `/plans`, `/plans/{id}`, `/keys/{rest+}`. Others are 404. */
export type PagePath = string;

/**
 * A built folder as of startup. Files are found by comparing the whole URL path with a list, so no path is ever built
 * from a request.
 */
export interface Site {
  readonly permission: Permission;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly index: Asset;
  readonly pages: readonly PagePath[];
  readonly entries: readonly RouteEntry[];
}

/** Returns a matcher for page paths, on the URL as sent. */
export function pageMatcher(pages: readonly PagePath[]): (path: string) => boolean {
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
