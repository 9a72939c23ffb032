import type { InputOf, OutputOf } from '@holdfast/operation';

import { linksOfKey, nextLinkKeys } from '../../store/links.ts';
import type { Codex } from '../codex.ts';
import type { CodexContext } from '../context.ts';
import { notebookFor } from '../notebooks.ts';
import { Resolver } from './resolver.ts';

import type * as operations from '../../operations/notes.ts';

/** Limits the names per request, for notebooks with few broken links. */
const KEYS_MAX = 20_000;
const KEYS_AT_ONCE = 500;
const SOURCES_MAX = 20;

export interface UnresolvedLink {
  readonly target: string;
  readonly from: readonly { readonly id: string; readonly path: string; readonly line: number }[];
}

export interface UnresolvedPage {
  readonly links: readonly UnresolvedLink[];
  /** Cursor of the next page; undefined at the end. */
  readonly next: string | undefined;
}

/** Broken links by target. A page may be short or empty although there are more. */
export async function unresolvedLinks(
  { store }: CodexContext,
  notebookId: number,
  after: string,
  limit: number,
): Promise<UnresolvedPage> {
  const { reader } = store;
  const resolver = new Resolver(reader, notebookId);
  const found: UnresolvedLink[] = [];
  let last = after;
  for (let seen = 0; seen < KEYS_MAX; seen += KEYS_AT_ONCE) {
    const keys = nextLinkKeys(reader, notebookId, last, KEYS_AT_ONCE);
    for (const key of keys) {
      last = key;
      found.push(...unresolvedOf(key));
      if (found.length >= limit) return { links: found, next: last };
    }
    if (keys.length < KEYS_AT_ONCE) return { links: found, next: undefined };
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { links: found, next: last };

  function unresolvedOf(key: string): readonly UnresolvedLink[] {
    const byTarget = new Map<string, { id: string; path: string; line: number }[]>();
    for (const link of linksOfKey(reader, notebookId, key)) {
      if (resolver.filesOf(key).length > 0 && resolver.resolve(link.path, link) !== undefined) continue;
      const sources = byTarget.get(link.target) ?? [];
      if (sources.length < SOURCES_MAX) sources.push({ id: link.file_id, path: link.path, line: link.line });
      byTarget.set(link.target, sources);
    }
    return [...byTarget].map(([target, from]) => ({ target, from }));
  }
}

export async function listUnresolved(
  codex: Codex,
  { notebook, limit, cursor }: InputOf<typeof operations.listUnresolved>,
): Promise<OutputOf<typeof operations.listUnresolved>> {
  const { links, next } = await unresolvedLinks(codex, notebookFor(codex, notebook).id, cursor ?? '', limit);
  return { data: links, next_cursor: next ?? null };
}
