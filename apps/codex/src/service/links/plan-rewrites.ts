import { isRelativeLink, type KeptLink } from '../../model/links/relink.ts';
import { leadsTo, resolveLink } from '../../model/links/resolve-link.ts';
import { linkKey } from '../../model/note/facts.ts';
import { isBelow, movedPath, type NotebookPath } from '../../model/path.ts';
import { fileAt } from '../../store/files.ts';
import type { LinkRewrite } from '../../store/link-rewrites.ts';
import { linksAroundFolder, linksFrom, linksOfKey, type PlacedLink } from '../../store/links.ts';
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

/** A file that was moved by itself, and may have got another name. */
interface MovedFile {
  readonly id: string;
  readonly path: string;
  readonly before: string;
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
  /** Files of a moved folder are not among them: their names are the same as before. */
  readonly #movedByOldKey = new Map<string, MovedFile[]>();
  readonly #notes = new Map<string, { path: string; links: Map<string, KeptLink>; move: LinkRewrite }>();

  constructor(tx: Tx, notebookId: number, moves: readonly LinkRewrite[]) {
    this.#tx = tx;
    this.#notebookId = notebookId;
    this.#moves = moves;
    this.#resolver = new Resolver(tx, notebookId);
    for (const move of moves) {
      const file = move.kind === 'file' ? this.#movedFile(move) : undefined;
      if (file === undefined) continue;
      const key = linkKey(file.before);
      this.#movedByOldKey.set(key, [...(this.#movedByOldKey.get(key) ?? []), file]);
    }
  }

  /** All links that a move may have something to do with. */
  linksAround(move: LinkRewrite): readonly PlacedLink[] {
    if (move.kind === 'folder') return linksAroundFolder(this.#tx, this.#notebookId, this.#now(move));
    const file = this.#movedFile(move);
    if (file === undefined) return [];
    const keys = [...new Set([linkKey(file.before), linkKey(file.path)])];
    const own = linksFrom(this.#tx, file.id).map((link) => ({ ...link, path: file.path }));
    return [...keys.flatMap((key) => linksOfKey(this.#tx, this.#notebookId, key)), ...own];
  }

  /** Remembers the note of this link, when the link has to be written in another way after the move. */
  consider({ file_id, path, kind, target }: PlacedLink, move: LinkRewrite): void {
    const link = { kind, target };
    const before = this.#before(path);
    const meant = resolveLink(before, link, this.#filesBefore(linkKey(target)));
    if (meant === undefined) return;
    const isRelative = isRelativeLink(before, link, meant);
    const isSame = this.#resolver.resolve(path, link)?.id === meant.id;
    if (isSame && (!isRelative || leadsTo(path, target, meant.now))) return;
    const note = this.#notes.get(file_id) ?? { path, links: new Map<string, KeptLink>(), move };
    note.links.set(`${kind}:${target}`, { kind, target, file_id: meant.id, is_relative: isRelative });
    this.#notes.set(file_id, note);
  }

  notes(): readonly NoteToRelink[] {
    return Array.from(this.#notes, ([id, { path, links, move }]) => ({ id, path, links: [...links.values()], move }));
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

  /** Where the target of a move is after the moves that came later. */
  #now(move: LinkRewrite): string {
    const later = this.#moves.slice(this.#moves.indexOf(move) + 1);
    return later.reduce((at, { source, dest, kind }) => along(at, source, dest, kind), move.dest);
  }

  #movedFile(move: LinkRewrite): MovedFile | undefined {
    const file = fileAt(this.#tx, this.#notebookId, this.#now(move));
    return file === undefined ? undefined : { id: file.id, path: file.path, before: this.#before(file.path) };
  }
}

function along(path: string, from: string, to: string, kind: 'file' | 'folder'): string {
  const isMoved = path === from || (kind === 'folder' && isBelow(path, from));
  return isMoved ? movedPath(path as NotebookPath, from as NotebookPath, to as NotebookPath) : path;
}
