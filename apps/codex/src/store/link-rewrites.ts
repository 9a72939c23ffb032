import type { Tx } from './open.ts';

/** A move after which links have to be rewritten. */
export interface LinkRewrite {
  readonly event_id: number;
  readonly notebook_id: number;
  readonly kind: 'file' | 'folder';
  readonly source: string;
  readonly dest: string;
  readonly correlation_id: string;
  readonly author: string;
}

export function oweRewrite(tx: Tx, owed: LinkRewrite): void {
  tx.run(
    `INSERT INTO link_rewrites (event_id, notebook_id, kind, source, dest, correlation_id, author)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    owed.event_id,
    owed.notebook_id,
    owed.kind,
    owed.source,
    owed.dest,
    owed.correlation_id,
    owed.author,
  );
}

/** Oldest move first. */
export function owedRewrites(tx: Tx, notebookId: number): LinkRewrite[] {
  return tx.all<LinkRewrite>('SELECT * FROM link_rewrites WHERE notebook_id = ? ORDER BY event_id', notebookId);
}

export function rewriteQueued(tx: Tx, eventId: number): void {
  tx.run('DELETE FROM link_rewrites WHERE event_id = ?', eventId);
}
