/**
 * A long list is read in pages, each found by the previous page's cursor. Only the start and length of a page are
 * kept; its rows may be dropped and read again.
 */
export interface Link {
  readonly cursor: string | undefined;
  /** Index of its first row in the whole list. */
  readonly start: number;
  readonly length: number;
  readonly next: string | null;
}

export type LoadedPages = readonly Link[];

export interface Range {
  readonly first: number;
  readonly last: number;
}

export function endOf(chain: LoadedPages): number {
  const last = chain.at(-1);
  return last === undefined ? 0 : last.start + last.length;
}

/** Where reading continues; undefined at the end. */
export function tailOf(chain: LoadedPages): { readonly cursor: string | undefined } | undefined {
  const last = chain.at(-1);
  if (last === undefined) return { cursor: undefined };
  return last.next === null ? undefined : { cursor: last.next };
}

/** The pages with one of them read again. If its length or end changed, later pages are no longer valid. */
export function withPage(
  chain: LoadedPages,
  cursor: string | undefined,
  { length, next }: Pick<Link, 'length' | 'next'>,
): LoadedPages {
  const at = chain.findIndex((link) => link.cursor === cursor);
  if (at < 0) {
    const tail = tailOf(chain);
    return tail !== undefined && tail.cursor === cursor
      ? [...chain, { cursor, start: endOf(chain), length, next }]
      : chain;
  }
  const known = chain[at];
  if (known === undefined || (known.length === length && known.next === next)) return chain;
  return [...chain.slice(0, at), { ...known, length, next }];
}

/** The pages that contain these rows. */
export function pagesIn(chain: LoadedPages, { first, last }: Range): LoadedPages {
  return chain.filter(({ start, length }) => start <= last && start + length > first);
}
