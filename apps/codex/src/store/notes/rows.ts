import type { Tx } from '../open.ts';

const ROWS_OF_NOTEBOOK = 2 ** 32;

export function rowsOf(notebookId: number): { readonly first: number; readonly last: number } {
  return { first: notebookId * ROWS_OF_NOTEBOOK, last: (notebookId + 1) * ROWS_OF_NOTEBOOK - 1 };
}

/** Returns another row number with each call. */
export type FreeRows = () => number;

/** Row numbers used by neither live nor pending-deletion texts, within one transaction. */
export function freeRows(tx: Tx, notebookId: number): FreeRows {
  let taken: number | undefined;
  return () => (taken = (taken ?? lastRow(tx, notebookId)) + 1);
}

function lastRow(tx: Tx, notebookId: number): number {
  const { first, last } = rowsOf(notebookId);
  const found = tx.get<{ row: number | null }>(
    `SELECT max(coalesce((SELECT max(row) FROM note_index WHERE row BETWEEN ?1 AND ?2), ?1),
                coalesce((SELECT max(row) FROM note_orphans WHERE row BETWEEN ?1 AND ?2), ?1)) AS row`,
    first,
    last,
  );
  return found?.row ?? first;
}
