import type { PendingRow } from '../model/git/pending-row.ts';

/**
 * The rows up to where somebody writes over what somebody else has written: that version is to be found in history, so it
 * becomes a commit before the next one follows. What one and the same writes again and again stays one commit.
 */
export function untilOverwritten(rows: readonly PendingRow[]): readonly PendingRow[] {
  const writers = new Map<string, PendingRow>();
  for (const [index, row] of rows.entries()) {
    if (row.kind !== 'write') continue;
    const last = writers.get(row.path);
    if (last !== undefined && last.hash !== row.hash && writerOf(last) !== writerOf(row)) return rows.slice(0, index);
    writers.set(row.path, row);
  }
  return rows;
}

/** Whoever changes files by hand is one, whatever they are called. */
function writerOf({ isExternal, author }: PendingRow): string {
  return isExternal ? 'by hand' : `as ${author}`;
}
