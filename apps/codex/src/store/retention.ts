import type { Tx } from './open.ts';

/** Keeps failed events longer than others, and keeps every event that git still refers to. */
export function pruneEvents(tx: Tx, doneBefore: string, failedBefore: string, limit: number): number {
  return tx.run(
    `DELETE FROM file_events WHERE id IN (
       SELECT id FROM file_events e WHERE processed_at IS NOT NULL
         AND processed_at < CASE WHEN status = 'failed' THEN ?2 ELSE ?1 END
         AND status NOT IN ('pending', 'processing')
         AND NOT EXISTS (SELECT 1 FROM git_pending g WHERE g.notebook_id = e.notebook_id AND g.event_id = e.id)
       LIMIT ?3)`,
    doneBefore,
    failedBefore,
    limit,
  ).changes;
}

/** Returns whether an unfinished or failed operation, or git, needs the staged content of this hash. */
export function isContentNeeded(tx: Tx, notebookId: number, hash: string): boolean {
  const row = tx.get<{ needed: number }>(
    `SELECT EXISTS (SELECT 1 FROM file_events WHERE notebook_id = ?1 AND content_hash = ?2
         AND status IN ('pending', 'processing', 'failed'))
       OR EXISTS (SELECT 1 FROM git_pending WHERE notebook_id = ?1 AND blob_hash = ?2)
       OR EXISTS (SELECT 1 FROM intents WHERE notebook_id = ?1 AND instr(intent, ?2) > 0) AS needed`,
    notebookId,
    hash,
  );
  return row?.needed === 1;
}
