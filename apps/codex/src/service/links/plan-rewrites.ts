import { isRelativeLink, type KeptLink } from '../../model/links/relink.ts';
import { leadsTo, type LinkText, resolveLink } from '../../model/links/resolve-link.ts';
import { linkKey } from '../../model/note/facts.ts';
import { isBelow, movedPath, type NotebookPath } from '../../model/path.ts';
import { fileAt } from '../../store/files.ts';
import type { LinkRewrite } from '../../store/link-rewrites.ts';
import { filesBelow, type LinkedFile, linksFrom, linksOfKey } from '../../store/links.ts';
import type { Tx } from '../../store/open.ts';
import { Resolver } from './resolver.ts';

/** A note in which links do not mean any more what they meant before the moves. */
export interface NoteToRelink {
  readonly id: string;
  readonly path: string;
  readonly links: readonly KeptLink[];
  /** The move that it is because of; the first, if there are several. */
  readonly move: LinkRewrite;
}

interface MovedFile extends LinkedFile {
  readonly before: string;
  readonly move: LinkRewrite;
}

/**
 * Finds the links that have to be rewritten so that they go on meaning what they meant. Only links that share a name with
 * something that was moved, and those in moved notes, can have changed their meaning.
 */
export class RewritePlan {
  readonly #tx: Tx;
  readonly #notebookId: number;
  readonly #moves: readonly LinkRewrite[];
  readonly #resolver: Resolver;
  readonly #movedByOldKey = new Map<string, MovedFile[]>();
  readonly #notes = new Map<string, { path: string; links: Map<string, KeptLink>; move: LinkRewrite }>();
  readonly moved: readonly MovedFile[];

  constructor(tx: Tx, notebookId: number, moves: readonly LinkRewrite[]) {
    this.#tx = tx;
    this.#notebookId = notebookId;
    this.#moves = moves;
    this.#resolver = new Resolver(tx, notebookId);
    this.moved = moves.flatMap((move, index) => this.#movedBy(move, moves.slice(index + 1)));
    for (const file of this.moved) {
      const key = linkKey(file.before);
      this.#movedByOldKey.set(key, [...(this.#movedByOldKey.get(key) ?? []), file]);
    }
  }

  /** Looks at all links that one moved file may have something to do with. */
  consider(file: MovedFile): void {
    for (const key of new Set([linkKey(file.before), linkKey(file.path)])) {
      for (const link of linksOfKey(this.#tx, this.#notebookId, key))
        this.#compare(link.file_id, link.path, link, file.move);
    }
    for (const link of linksFrom(this.#tx, file.id)) this.#compare(file.id, file.path, link, file.move);
  }

  notes(): readonly NoteToRelink[] {
    return Array.from(this.#notes, ([id, { path, links, move }]) => ({ id, path, links: [...links.values()], move }));
  }

  #compare(noteId: string, path: string, { kind, target }: LinkText, move: LinkRewrite): void {
    const link = { kind, target };
    const before = this.#before(path);
    const meant = resolveLink(before, link, this.#filesBefore(linkKey(target)));
    if (meant === undefined) return;
    const isRelative = isRelativeLink(before, link, meant);
    const isSame = this.#resolver.resolve(path, link)?.id === meant.id;
    if (isSame && (!isRelative || leadsTo(path, target, meant.now))) return;
    const note = this.#notes.get(noteId) ?? { path, links: new Map<string, KeptLink>(), move };
    note.links.set(`${kind}:${target}`, { kind, target, file_id: meant.id, is_relative: isRelative });
    this.#notes.set(noteId, note);
  }

  /** The files that had this name before the moves, where they were then. */
  #filesBefore(key: string): readonly { id: string; path: string; now: string }[] {
    const moved = this.#movedByOldKey.get(key) ?? [];
    const others = this.#resolver
      .filesOf(key)
      .map(({ id, path }) => ({ id, path: this.#before(path), now: path }))
      .filter((file) => linkKey(file.path) === key && moved.every(({ id }) => id !== file.id));
    return [...moved.map((file) => ({ id: file.id, path: file.before, now: file.path })), ...others];
  }

  /** Where something that is at a path now was before the moves. */
  #before(path: string): string {
    return this.#moves.reduceRight((at, { source, dest, kind }) => along(at, dest, source, kind), path);
  }

  #movedBy(move: LinkRewrite, later: readonly LinkRewrite[]): readonly MovedFile[] {
    const now = later.reduce((at, { source, dest, kind }) => along(at, source, dest, kind), move.dest);
    const file = move.kind === 'file' ? fileAt(this.#tx, this.#notebookId, now) : undefined;
    const files = file === undefined ? filesBelow(this.#tx, this.#notebookId, now) : [file];
    return files.map(({ id, path, title }) => ({ id, path, title, before: this.#before(path), move }));
  }
}

function along(path: string, from: string, to: string, kind: 'file' | 'folder'): string {
  const isMoved = path === from || (kind === 'folder' && isBelow(path, from));
  return isMoved ? movedPath(path as NotebookPath, from as NotebookPath, to as NotebookPath) : path;
}
