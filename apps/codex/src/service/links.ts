import { MEBIBYTE } from '@holdfast/base';
import type { Caller, GivenTo, InputOf, OutputOf } from '@holdfast/operation';

import { readFile } from '../adapters/file-content.ts';
import { Tree } from '../adapters/tree.ts';
import { linkKey } from '../model/note/facts.ts';
import type { FileRecord, Notebook } from '../model/notebook.ts';
import { nameOf, type NotebookPath, pathKey, withoutNoteEnding } from '../model/path.ts';
import type * as operations from '../operations/notes.ts';
import {
  filesChangedLast,
  filesNamedLike,
  filesWithWord,
  type IncomingRow,
  type LinkedFile,
  linksFrom,
  linksOfKey,
  nextLinkKeys,
} from '../store/links.ts';
import type { Codex } from './codex.ts';
import type { CodexContext } from './context.ts';
import { fileFor } from './files.ts';
import { Resolver } from './link-resolver.ts';
import { notebookFor } from './notebooks.ts';
import { afterEvent } from './submit.ts';
import { wholeList } from './views.ts';

/** Only the first links to a note are shown. */
const INCOMING_MAX = 500;
/** Notes that are read to show the line around a link. */
const READ_MAX = 100;
const READ_BYTES_MAX: number = MEBIBYTE;
const CONTEXT_LENGTH = 300;

interface OutgoingLink {
  /** As written in the note. */
  readonly target: string;
  readonly text: string;
  readonly line: number;
  /** Null if the link is broken. */
  readonly file: LinkedFile | null;
}

interface IncomingLink {
  readonly file: LinkedFile;
  readonly line: number;
  /** The line with the link; empty if it could not be read. */
  readonly context: string;
}

interface Links {
  readonly outgoing: readonly OutgoingLink[];
  readonly incoming: readonly IncomingLink[];
}

async function linksOf({ store }: CodexContext, notebook: Notebook, file: FileRecord): Promise<Links> {
  const { reader } = store;
  const resolver = new Resolver(reader, notebook.id);
  const outgoing = linksFrom(reader, file.id).map((link) => {
    const found = resolver.resolve(file.path, link);
    return { target: link.target, text: link.text, line: link.line, file: found ?? null };
  });
  const incoming = linksOfKey(reader, notebook.id, linkKey(file.path))
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
  links: readonly IncomingRow[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  using tree = new Tree(notebook.path);
  const found = new Map<string, readonly string[]>();
  for (const path of [...new Set(links.map((link) => link.path))].slice(0, READ_MAX)) {
    try {
      if ((tree.state(path)?.size ?? 0) > READ_BYTES_MAX) continue;
      found.set(
        path,
        Buffer.from((await readFile(tree, path)).bytes)
          .toString('utf8')
          .split(/\r?\n/u),
      );
    } catch {
      // The note is changing or gone: its link is shown without the line.
    }
  }
  return found;
}

function contextOf(line: string): string {
  const text = line.trim();
  return text.length > CONTEXT_LENGTH ? `${text.slice(0, CONTEXT_LENGTH)}…` : text;
}

export async function listLinks(
  codex: Codex,
  { notebook: name, file, after_event }: GivenTo<typeof operations.listLinks>,
  caller: Caller,
): Promise<Links> {
  await afterEvent(codex, after_event, caller);
  const notebook = notebookFor(codex, name);
  return linksOf(codex, notebook, await fileFor(codex, notebook, file));
}

const NAMES_MAX = 20;

interface LinkName extends LinkedFile {
  /** Text to write between the brackets: the name, or the path if several files share the name. */
  readonly link: string;
}

/** Suggests targets for a link that is being typed: names with this prefix first, then words in names and titles. */
function linkNames({ store }: CodexContext, notebookId: number, typed: string): readonly LinkName[] {
  const { reader } = store;
  const resolver = new Resolver(reader, notebookId);
  return candidates()
    .slice(0, NAMES_MAX)
    .map((file) => ({ ...file, link: linkTo(file) }));

  function candidates(): readonly LinkedFile[] {
    const text = typed.trim();
    if (text === '') return filesChangedLast(reader, notebookId, NAMES_MAX);
    const named = filesNamedLike(reader, notebookId, pathKey(text), NAMES_MAX);
    if (named.length >= NAMES_MAX) return named;
    const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    if (words.length === 0) return named;
    const query = `{title name} : (${words.map((word) => `"${word}"*`).join(' AND ')})`;
    const others = filesWithWord(reader, notebookId, query, 2 * NAMES_MAX);
    return [...named, ...others.filter(({ id }) => named.every((known) => known.id !== id))];
  }

  function linkTo({ path }: LinkedFile): string {
    const name = withoutNoteEnding(nameOf(path as NotebookPath));
    return resolver.filesOf(linkKey(path)).length > 1 ? withoutNoteEnding(path) : name;
  }
}

export function suggestLinks(
  codex: Codex,
  { notebook, query }: InputOf<typeof operations.suggestLinks>,
): OutputOf<typeof operations.suggestLinks> {
  return wholeList(linkNames(codex, notebookFor(codex, notebook).id, query));
}

/** Limits the names per request, for notebooks with few broken links. */
const KEYS_MAX = 20_000;
const KEYS_AT_ONCE = 500;
const SOURCES_MAX = 20;

interface UnresolvedLink {
  readonly target: string;
  readonly from: readonly { readonly id: string; readonly path: string; readonly line: number }[];
}

interface UnresolvedPage {
  readonly links: readonly UnresolvedLink[];
  /** Cursor of the next page; undefined at the end. */
  readonly next: string | undefined;
}

/** Broken links by target. A page may be short or empty although there are more. */
async function unresolvedLinks(
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
