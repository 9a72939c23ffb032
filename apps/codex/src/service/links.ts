import { MEBIBYTE, type Page, parseStoredObject } from '@holdfast/base';
import type { Caller } from '@holdfast/operation';

import { readFile } from '../adapters/file-content.ts';
import { Tree } from '../adapters/tree.ts';
import { splitCjk } from '../model/note/cjk.ts';
import { linkKey } from '../model/note/facts.ts';
import { propertyValueKey } from '../model/note/properties.ts';
import type { Notebook } from '../model/notebook.ts';
import { nameOf, type NotebookPath, pathKey, withoutNoteEnding } from '../model/path.ts';
import type { FileView, InNotebook, OneFile } from '../operations/fields.ts';
import type * as operations from '../operations/notes.ts';
import { fileById } from '../store/files.ts';
import * as linkStore from '../store/links.ts';
import type { Codex } from './codex.ts';
import { fileFor } from './files.ts';
import { Resolver } from './link-resolver.ts';
import { notebookFor } from './notebooks.ts';
import { afterEvent } from './submit.ts';
import { fileView, singlePage } from './views.ts';

/** Maximum number of incoming links that are shown for a note. */
const INCOMING_MAX = 500;
/** Maximum number of notes that are read to show the line around a link. */
const READ_MAX = 100;
const READ_BYTES_MAX: number = MEBIBYTE;
const CONTEXT_LENGTH = 300;

export async function listLinks(codex: Codex, input: OneFile, caller: Caller): Promise<operations.Links> {
  await afterEvent(codex, input.after_event, caller);
  const notebook = notebookFor(codex, input.notebook);
  const file = await fileFor(codex, notebook, input.file);
  const { reader } = codex.store;
  const resolver = new Resolver(reader, notebook.id);
  const outgoing = linkStore.linksFrom(reader, file.id).map((link) => {
    const { target, part, text, line } = link;
    const found = resolver.resolve(file.path, link) ?? null;
    const is_part_missing = found !== null && resolver.isPartMissing(found, part);
    return { target, part, text, line, file: found, is_part_missing };
  });
  const incoming = linkStore
    .linksOfKey(reader, notebook.id, linkKey(file.path))
    .filter((link) => link.file_id !== file.id && resolver.resolve(link.path, link)?.id === file.id)
    .slice(0, INCOMING_MAX);
  const lines = await linesOf(notebook, incoming);
  return {
    outgoing,
    incoming: incoming.map(({ file_id, path, title, line }) => ({
      file: { id: file_id, path, title },
      line,
      context: contextOf(lines.get(path)?.[line - 1] ?? ''),
    })),
  };
}

async function linesOf(
  notebook: Notebook,
  links: readonly linkStore.IncomingRow[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  using tree = new Tree(notebook.path);
  const found = new Map<string, readonly string[]>();
  for (const path of [...new Set(links.map((link) => link.path))].slice(0, READ_MAX)) {
    try {
      if ((tree.state(path)?.size ?? 0) > READ_BYTES_MAX) continue;
      const text = Buffer.from((await readFile(tree, path)).bytes).toString('utf8');
      found.set(path, text.split(/\r?\n/u));
    } catch {
      // The note is changing or missing. Its link is shown without the line.
    }
  }
  return found;
}

function contextOf(line: string): string {
  const text = line.trim();
  return text.length > CONTEXT_LENGTH ? `${text.slice(0, CONTEXT_LENGTH)}…` : text;
}

export function resolveLink(
  codex: Codex,
  { notebook, from, target, kind }: operations.ResolveLinkInput,
): { readonly file: FileView | null } {
  const { reader } = codex.store;
  const { id } = notebookFor(codex, notebook);
  const found = new Resolver(reader, id).resolve(from, { kind, target });
  const row = found === undefined ? undefined : fileById(reader, found.id);
  return { file: row === undefined ? null : fileView(reader, row) };
}

const NAMES_MAX = 20;

/** Suggests targets for a link that is being typed: names with this prefix first, then words in names and titles. */
export function suggestLinks(
  codex: Codex,
  { notebook, query }: operations.SuggestLinksInput,
): Page<operations.LinkSuggestion> {
  const { reader } = codex.store;
  const { id: notebookId } = notebookFor(codex, notebook);
  const resolver = new Resolver(reader, notebookId);
  const found = candidates();
  const suggestions = [...aliases(), ...found.map((file) => ({ ...file, link: linkTo(file) }))];
  return singlePage(suggestions.slice(0, NAMES_MAX));

  /** Suggests aliases. The alias becomes the text of the link, as in Obsidian. */
  function aliases(): readonly operations.LinkSuggestion[] {
    const typed = propertyValueKey(query);
    if (typed === '') return [];
    return linkStore.filesWithAlias(reader, notebookId, typed, NAMES_MAX).flatMap(({ properties, ...file }) => {
      const listed = [(parseStoredObject(properties) as Record<string, unknown>)['aliases']].flat();
      const alias = listed.find((each) => typeof each === 'string' && propertyValueKey(each).startsWith(typed));
      return typeof alias === 'string' && !/[[\]|]/u.test(alias) ? [{ ...file, link: `${linkTo(file)}|${alias}` }] : [];
    });
  }

  function candidates(): readonly linkStore.LinkedFile[] {
    const text = query.trim();
    if (text === '') return linkStore.filesChangedLast(reader, notebookId, NAMES_MAX);
    const named = linkStore.filesNamedLike(reader, notebookId, pathKey(text), NAMES_MAX);
    if (named.length >= NAMES_MAX) return named;
    const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    if (words.length === 0) return named;
    const match = `{title name} : (${words.map((word) => `"${splitCjk(word)}"*`).join(' AND ')})`;
    const others = linkStore.filesWithWord(reader, notebookId, match, 2 * NAMES_MAX);
    return [...named, ...others.filter(({ id }) => named.every((known) => known.id !== id))];
  }

  function linkTo({ path }: linkStore.LinkedFile): string {
    const name = withoutNoteEnding(nameOf(path as NotebookPath));
    return resolver.filesOf(linkKey(path)).length > 1 ? withoutNoteEnding(path) : name;
  }
}

/** Maximum number of link names checked per request: a notebook may have many links but few broken ones. */
const KEYS_MAX = 20_000;
const KEYS_AT_ONCE = 500;
const SOURCES_MAX = 20;

interface UnresolvedLink {
  readonly target: string;
  readonly from: readonly { readonly id: string; readonly path: string; readonly line: number }[];
}

/** Lists broken links by target. A page may be short or even empty although more pages follow. */
export async function listUnresolved(
  codex: Codex,
  { notebook, limit, cursor = '' }: operations.ListUnresolvedInput,
): Promise<Page<UnresolvedLink>> {
  const { reader } = codex.store;
  const { id } = notebookFor(codex, notebook);
  const resolver = new Resolver(reader, id);
  const data: UnresolvedLink[] = [];
  let last = cursor;
  for (let seen = 0; seen < KEYS_MAX; seen += KEYS_AT_ONCE) {
    const keys = linkStore.nextLinkKeys(reader, id, last, KEYS_AT_ONCE);
    for (const key of keys) {
      last = key;
      data.push(...unresolvedOf(key));
      if (data.length >= limit) return { data, next_cursor: last };
    }
    if (keys.length < KEYS_AT_ONCE) return singlePage(data);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { data, next_cursor: last };

  function unresolvedOf(key: string): readonly UnresolvedLink[] {
    const byTarget = new Map<string, { id: string; path: string; line: number }[]>();
    for (const link of linkStore.linksOfKey(reader, id, key)) {
      const found = resolver.filesOf(key).length > 0 ? resolver.resolve(link.path, link) : undefined;
      if (found !== undefined && !resolver.isPartMissing(found, link.part)) continue;
      const target = found === undefined ? link.target : `${link.target}#${link.part ?? ''}`;
      const sources = byTarget.get(target) ?? [];
      if (sources.length < SOURCES_MAX) sources.push({ id: link.file_id, path: link.path, line: link.line });
      byTarget.set(target, sources);
    }
    return [...byTarget].map(([target, from]) => ({ target, from }));
  }
}

const GRAPH_FILES_MAX = 500;

/** Returns the files that links connect. A large notebook is reduced to its most linked files, so that a page can show it. */
export async function linkGraph(codex: Codex, { notebook }: InNotebook): Promise<operations.LinkGraph> {
  const { reader } = codex.store;
  const { id } = notebookFor(codex, notebook);
  const resolver = new Resolver(reader, id);
  const files = new Map<string, linkStore.LinkedFile>();
  const links = new Map<string, { readonly from: string; readonly to: string }>();
  for (let last = '', isMore = true; isMore;) {
    const keys = linkStore.nextLinkKeys(reader, id, last, KEYS_AT_ONCE);
    for (const key of keys.filter((each) => resolver.filesOf(each).length > 0)) addLinks(key);
    last = keys.at(-1) ?? '';
    isMore = keys.length === KEYS_AT_ONCE;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const shown = mostLinked(files, [...links.values()]);
  const isShown = new Set(shown.map((file) => file.id));
  return {
    files: shown,
    links: [...links.values()].filter(({ from, to }) => isShown.has(from) && isShown.has(to)),
    linked_files: files.size,
  };

  function addLinks(key: string): void {
    for (const link of linkStore.linksOfKey(reader, id, key)) {
      const target = resolver.resolve(link.path, link);
      if (target === undefined || target.id === link.file_id) continue;
      files.set(target.id, target).set(link.file_id, { id: link.file_id, path: link.path, title: link.title });
      links.set(`${link.file_id} ${target.id}`, { from: link.file_id, to: target.id });
    }
  }
}

function mostLinked(
  files: ReadonlyMap<string, linkStore.LinkedFile>,
  links: readonly { readonly from: string; readonly to: string }[],
): readonly linkStore.LinkedFile[] {
  const counts = new Map<string, number>();
  for (const end of links.flatMap(({ from, to }) => [from, to])) counts.set(end, (counts.get(end) ?? 0) + 1);
  const countOf = ({ id }: linkStore.LinkedFile): number => counts.get(id) ?? 0;
  return [...files.values()]
    .toSorted((left, right) => countOf(right) - countOf(left) || (left.path < right.path ? -1 : 1))
    .slice(0, GRAPH_FILES_MAX);
}
