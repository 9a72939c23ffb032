import type { StoredKey } from '../../api/types.ts';

/** Treats keys as paths with the delimiters `/` and `:`. */
const DELIMITER = /[/:]/;
/** The highest character. A folder name followed by this character sorts after all keys in that folder. */
const LAST = '\u{10ffff}';

export type Entry =
  | { readonly kind: 'folder'; readonly prefix: string; readonly count: number; readonly isPartial: boolean }
  | { readonly kind: 'key'; readonly stored: StoredKey };

/** Returns `s/1/` for the key `s/1/task/9` below `s/`; undefined for a key that is not in a folder. */
export function folderOf(key: string, prefix: string): string | undefined {
  const at = key.slice(prefix.length).search(DELIMITER);
  return at < 0 ? undefined : key.slice(0, prefix.length + at + 1);
}

/** Returns a cursor function that skips the remaining keys of a folder without reading them. */
export function pastFolder(prefix: string): (lastKey: string) => string {
  return (lastKey) => {
    const folder = folderOf(lastKey, prefix);
    return folder === undefined ? lastKey : folder + LAST;
  };
}

interface Page {
  readonly data: readonly StoredKey[];
  readonly next_cursor: string | null;
}

export function grouped(pages: readonly Page[], prefix: string): readonly Entry[] {
  const entries: Entry[] = [];
  for (const { data, next_cursor } of pages) {
    let folder: { prefix: string; count: number } | undefined;
    const finish = (isPartial: boolean): void => {
      if (folder !== undefined) entries.push({ kind: 'folder', ...folder, isPartial });
      folder = undefined;
    };
    for (const stored of data) {
      const name = folderOf(stored.key, prefix);
      if (name !== folder?.prefix) finish(false);
      if (name === undefined) entries.push({ kind: 'key', stored });
      else folder = { prefix: name, count: (folder?.count ?? 0) + 1 };
    }
    finish(next_cursor !== null);
  }
  return entries;
}

export function flat(pages: readonly Page[]): readonly Entry[] {
  return pages.flatMap(({ data }) => data.map((stored) => ({ kind: 'key', stored }) as const));
}

/** Returns `['s/', 's/1/']` for `s/1/`, the steps of the breadcrumb. */
export function steps(prefix: string): readonly string[] {
  return [...prefix.matchAll(/[/:]/g)].map(({ index }) => prefix.slice(0, index + 1));
}
