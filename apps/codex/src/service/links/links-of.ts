import { MEBIBYTE } from '@holdfast/base';
import type { Caller, GivenTo } from '@holdfast/operation';

import { readFile } from '../../adapters/file-content.ts';
import { Tree } from '../../adapters/tree.ts';
import { linkKey } from '../../model/note/facts.ts';
import type { FileRecord, Notebook } from '../../model/notebook.ts';
import { type IncomingRow, type LinkedFile, linksFrom, linksOfKey } from '../../store/links.ts';
import type { Codex } from '../codex.ts';
import type { CodexContext } from '../context.ts';
import { fileFor } from '../files.ts';
import { notebookFor } from '../notebooks.ts';
import { afterEvent } from '../submit.ts';
import { Resolver } from './resolver.ts';

import type * as operations from '../../operations/notes.ts';

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

export interface Links {
  readonly outgoing: readonly OutgoingLink[];
  readonly incoming: readonly IncomingLink[];
}

export async function linksOf({ store }: CodexContext, notebook: Notebook, file: FileRecord): Promise<Links> {
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
