import type { Tx } from './open.ts';

/** Folders of a notebook at which disks of their own were seen. */
export function knownDisks(tx: Tx, notebookId: number): string[] {
  return tx
    .all<{ path: string }>('SELECT path FROM disks WHERE notebook_id = ? ORDER BY path', notebookId)
    .map(({ path }) => path);
}

export function putDisk(tx: Tx, notebookId: number, path: string): void {
  tx.run('INSERT OR IGNORE INTO disks (notebook_id, path) VALUES (?, ?)', notebookId, path);
}

export function dropDisk(tx: Tx, notebookId: number, path: string): void {
  tx.run('DELETE FROM disks WHERE notebook_id = ? AND path = ?', notebookId, path);
}
