import type { Intent } from '../model/intent.ts';
import type { Tx } from './open.ts';

export function saveIntent(tx: Tx, eventId: number, notebookId: number, intent: Intent): void {
  tx.run(
    'INSERT INTO intents (event_id, notebook_id, intent) VALUES (?, ?, ?) ON CONFLICT (event_id) DO UPDATE SET intent = excluded.intent',
    eventId,
    notebookId,
    JSON.stringify(intent),
  );
}

export function intentOf(tx: Tx, eventId: number): Intent | undefined {
  const row = tx.get<{ intent: string }>('SELECT intent FROM intents WHERE event_id = ?', eventId);
  return row === undefined ? undefined : (JSON.parse(row.intent) as Intent);
}

export function dropIntent(tx: Tx, eventId: number): void {
  tx.run('DELETE FROM intents WHERE event_id = ?', eventId);
}
