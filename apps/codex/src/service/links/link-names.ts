import type { InputOf, OutputOf } from '@holdfast/operation';

import { withoutNoteEnding } from '../../model/note-path.ts';
import { linkKey } from '../../model/note/facts.ts';
import { nameOf, type NotebookPath, pathKey } from '../../model/path.ts';
import { filesChangedLast, filesNamedLike, filesWithWord, type LinkedFile } from '../../store/links.ts';
import type { Codex } from '../codex.ts';
import type { CodexContext } from '../context.ts';
import { notebookFor } from '../notebooks.ts';
import { wholeList } from '../views.ts';
import { Resolver } from './resolver.ts';

import type * as operations from '../../operations/notes.ts';

const NAMES_MAX = 20;

export interface LinkName extends LinkedFile {
  /** Text to write between the brackets: the name, or the path if several files share the name. */
  readonly link: string;
}

/** Suggests targets for a link that is being typed: names with this prefix first, then words in names and titles. */
export function linkNames({ store }: CodexContext, notebookId: number, typed: string): readonly LinkName[] {
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
