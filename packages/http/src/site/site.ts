import type { Permission } from '../routes/contract.ts';
import type { RouteEntry } from '../routes/table.ts';

export type Encoding = 'br' | 'gzip';

/** A file of the site, whole and in memory. */
export interface Asset {
  readonly content: Uint8Array;
  /** Made when the site was built, never here. */
  readonly encoded: Readonly<Partial<Record<Encoding, Uint8Array>>>;
  readonly type: string;
  readonly etag: string;
  readonly isImmutable: boolean;
}

/** Paths that are shown by the page itself: `/plans`, `/plans/{id}`, `/keys/{rest+}`. Anything else is a 404. */
export type PagePath = string;

/**
 * A built folder as it was at the start. Files are found by comparing the whole address with a list, so there is nothing
 * that a clever address could lead out of: no path is ever put together from a request.
 */
export interface Site {
  readonly permission: Permission;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly index: Asset;
  readonly pages: readonly PagePath[];
  readonly entries: readonly RouteEntry[];
}

/** Regular expression for a page path, on the URL as it was sent. */
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
