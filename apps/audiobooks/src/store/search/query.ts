import type { SearchIndex } from './database.ts';

/** Prefixes that search one field, as in `author:name`. */
const FIELDS: ReadonlySet<string> = new Set(['title', 'author', 'narrator', 'series', 'genre', 'text']);

const WORDS_MAX = 20;

/**
 * Converts typed text to a full-text query: every word must occur as a prefix, and `author:name` searches one field.
 * Typed text is never FTS syntax.
 */
export function toFullText(typed: string): string | undefined {
  const terms = [...typed.matchAll(/(?:(\p{L}+):)?(?:"([^"]*)"|([^\s"]+))/gu)].slice(0, WORDS_MAX).flatMap((match) => {
    const [whole, prefix, phrase, word] = match;
    const field = prefix?.toLowerCase();
    const isField = field !== undefined && FIELDS.has(field);
    const wanted = isField ? (phrase ?? word ?? '') : whole.replaceAll('"', '');
    const words = wanted.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length === 0) return [];
    const quoted = phrase === undefined ? words.map((part) => `"${part}"*`).join(' AND ') : `"${words.join(' ')}"`;
    return [isField ? `${field} : (${quoted})` : `(${quoted})`];
  });
  return terms.length === 0 ? undefined : terms.join(' AND ');
}

/** Returns matching book ids, best first; title matches weigh most. */
export function matchingIds(
  { database }: SearchIndex,
  fullText: string,
  limit: number,
  offset: number,
): readonly string[] {
  const rows = database.all<{ id: string }>(
    `SELECT search_book.id AS id FROM search_text JOIN search_book ON search_book.row = search_text.rowid
     WHERE search_text MATCH ? ORDER BY bm25(search_text, 10, 6, 4, 5, 2, 1), search_text.rowid LIMIT ? OFFSET ?`,
    fullText,
    limit,
    offset,
  );
  return rows.map(({ id }) => id);
}
