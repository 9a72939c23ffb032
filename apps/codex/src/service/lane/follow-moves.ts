import { failpoint, toTimestamp } from '@holdfast/base';

import type { NotebookPath } from '../../model/path.ts';
import { insertEvent } from '../../store/events.ts';
import { checkFence } from '../../store/lanes.ts';
import { hasUnread } from '../../store/links.ts';
import { owedRewrites, rewriteQueued } from '../../store/link-rewrites.ts';
import { RewritePlan } from '../links/plan-rewrites.ts';
import { catchUp } from '../note-index/catch-up.ts';
import type { LaneContext } from './lane-context.ts';

const LINKS_AT_ONCE = 200;

/**
 * Queues an update for each note whose links must follow a move, in the commit that removes the moves from the list of
 * due rewrites. Only the lane owner runs this, so nothing moves meanwhile.
 */
export async function followMoves(lane: LaneContext): Promise<void> {
  const { codex, notebook, lease } = lane;
  const moves = owedRewrites(codex.store.reader, notebook.id);
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
    for (const { event_id } of moves) rewriteQueued(tx, event_id);
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
