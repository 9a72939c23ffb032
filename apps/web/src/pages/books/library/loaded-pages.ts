/**
 * A long list is read in pages; the cursor of one page leads to the next. Only the start and length of each page stay
 * in memory. The rows may be dropped and read again.
 */
export interface LoadedPage {
  readonly cursor: string | undefined;
  /** Index of the page's first row in the whole list. */
  readonly start: number;
  readonly length: number;
  readonly next: string | null;
}

export type LoadedPages = readonly LoadedPage[];

export interface Range {
  readonly first: number;
  readonly last: number;
}

export function endOf(pages: LoadedPages): number {
  const last = pages.at(-1);
  return last === undefined ? 0 : last.start + last.length;
}

/** Returns the cursor of the next page; undefined if all pages are loaded. */
export function tailOf(pages: LoadedPages): { readonly cursor: string | undefined } | undefined {
  const last = pages.at(-1);
  if (last === undefined) return { cursor: undefined };
  return last.next === null ? undefined : { cursor: last.next };
}

/** Replaces a page that was read again. If its length or next cursor has changed, drops all later pages. */
export function withPage(
  pages: LoadedPages,
  cursor: string | undefined,
  { length, next }: Pick<LoadedPage, 'length' | 'next'>,
): LoadedPages {
  const at = pages.findIndex((page) => page.cursor === cursor);
  if (at < 0) {
    const tail = tailOf(pages);
    return tail !== undefined && tail.cursor === cursor
      ? [...pages, { cursor, start: endOf(pages), length, next }]
      : pages;
  }
  const known = pages[at];
  if (known === undefined || (known.length === length && known.next === next)) return pages;
  return [...pages.slice(0, at), { ...known, length, next }];
}

export function pagesIn(pages: LoadedPages, { first, last }: Range): LoadedPages {
  return pages.filter(({ start, length }) => start <= last && start + length > first);
}
