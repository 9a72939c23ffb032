import type { Tx } from './open.ts';

function metaNumber(tx: Tx, key: string): number {
  return Number(tx.get<{ value: number | string }>('SELECT value FROM ringmaster_meta WHERE key = ?', key)?.value ?? 0);
}

export function setMeta(tx: Tx, key: string, value: string | number): void {
  tx.run('INSERT OR REPLACE INTO ringmaster_meta (key, value) VALUES (?, ?)', key, value);
}

export function graphVersion(tx: Tx): number {
  return metaNumber(tx, 'graph_version');
}

/** Empty if it was never set. */
export function metaText(tx: Tx, key: string): string {
  return String(
    tx.get<{ value: number | string }>('SELECT value FROM ringmaster_meta WHERE key = ?', key)?.value ?? '',
  );
}
