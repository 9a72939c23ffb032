import { failpoint, toTimestamp } from '@holdfast/base';

import { isRelativeLink, type KeptLink, leadsTo, resolveLink } from '../../model/links.ts';
import { linkKey } from '../../model/note/facts.ts';
import { isBelow, movedPath, type NotebookPath } from '../../model/path.ts';
import { insertEvent } from '../../store/events.ts';
import { fileAt } from '../../store/files.ts';
import { checkFence } from '../../store/lanes.ts';
import {
  hasUnread,
  type LinkRewrite,
  linksAroundFolder,
  linksFrom,
  linksOfKey,
  pendingLinkRewrites,
  type PlacedLink,
  dropLinkRewrite,
} from '../../store/links.ts';
import type { Transaction } from '../../store/open.ts';
import { Resolver } from '../link-resolver.ts';
import { catchUp } from '../note-index.ts';
import type { LaneContext } from './run-group.ts';

/** A note with links that no longer lead to their files after the moves. */
interface NoteToRelink {
  readonly id: string;
  readonly path: string;
  readonly links: readonly KeptLink[];
  /** The first move that affects the note. */
  readonly move: LinkRewrite;
}

/** A file that was moved alone, not with its folder; its name may have changed. */
interface MovedFile {
  readonly id: string;
  readonly path: string;
  readonly before: string;
}

/**
 * Finds links that must be rewritten so that they still lead to their files. Only two kinds can be affected: links that
 * name a moved file, and links in moved notes.
 */
class RewritePlan {
  readonly #tx: Transaction;
  readonly #notebookId: number;
  readonly #moves: readonly LinkRewrite[];
  readonly #resolver: Resolver;
  /** Omits files of a moved folder, because their names stay the same. */
  readonly #movedByOldKey = new Map<string, MovedFile[]>();
  readonly #notes = new Map<string, { path: string; links: Map<string, KeptLink>; move: LinkRewrite }>();

  constructor(tx: Transaction, notebookId: number, moves: readonly LinkRewrite[]) {
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

  /** All links that a move may affect. */
  linksAround(move: LinkRewrite): readonly PlacedLink[] {
    if (move.kind === 'folder') return linksAroundFolder(this.#tx, this.#notebookId, this.#now(move));
    const file = this.#movedFile(move);
    if (file === undefined) return [];
    const keys = [...new Set([linkKey(file.before), linkKey(file.path)])];
    const own = linksFrom(this.#tx, file.id).map((link) => ({ ...link, path: file.path }));
    return [...keys.flatMap((key) => linksOfKey(this.#tx, this.#notebookId, key)), ...own];
  }

  /** Adds the link if it must be rewritten after the move. */
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

  /** Returns the files that had this name before the moves, with their old paths. */
  #filesBefore(key: string): readonly { id: string; path: string; now: string }[] {
    const moved = this.#movedByOldKey.get(key) ?? [];
    const others = this.#resolver
      .filesOf(key)
      .map(({ id, path }) => ({ id, path: this.#before(path), now: path }))
      .filter((file) => linkKey(file.path) === key && moved.every(({ id }) => id !== file.id));
    return [...moved.map((file) => ({ id: file.id, path: file.before, now: file.path })), ...others];
  }

  /** Returns the path that the entry at `path` had before the moves. */
  #before(path: string): string {
    return this.#moves.reduceRight((at, { source, dest, kind }) => along(at, dest, source, kind), path);
  }

  /** Returns the current path of a move's destination, after later moves. */
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

const LINKS_AT_ONCE = 200;

/**
 * Queues an update for each note whose links must follow a move. The same commit removes the moves from the list of
 * pending rewrites. Only the lane owner runs this function, so no operation moves files in the meantime.
 */
export async function followMoves(lane: LaneContext): Promise<void> {
  const { codex, notebook, lease } = lane;
  const moves = pendingLinkRewrites(codex.store.reader, notebook.id);
  if (moves.length === 0) return;
  failpoint('codex.links.begun');
  // Links are known only once every file has been indexed.
  if (hasUnread(codex.store.reader, notebook.id)) await catchUp(codex, notebook, () => !lane.isEnding());
  if (lane.isEnding()) return;
  const plan = new RewritePlan(codex.store.reader, notebook.id, moves);
  for (const move of moves) {
    for (const [index, link] of plan.linksAround(move).entries()) {
      plan.consider(link, move);
      // Yields, so that the lease is renewed.
      if (index % LINKS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  lane.checkLease();
  const notes = plan.notes();
  await codex.store.write('codex links follow', (tx) => {
    checkFence(tx, lease);
    const now = toTimestamp(codex.clock());
    for (const { event_id } of moves) dropLinkRewrite(tx, event_id);
    for (const [sequence, { id, path, links, move }] of notes.entries()) {
      insertEvent(tx, {
        notebookId: notebook.id,
        operation: { type: 'update', path: path as NotebookPath, file_id: id, relink: links },
        author: move.author,
        now,
        correlationId: move.correlation_id,
        sequence,
      });
    }
  });
  failpoint('codex.links.queued');
}
