import { insertRow, type Tx } from './open.ts';

export interface Message {
  readonly id: number;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly role: string;
  readonly content: string;
  readonly media_type: string | null;
  readonly media_path: string | null;
  readonly created_at: string;
}

export function insertMessage(tx: Tx, message: Omit<Message, 'id'>): Message {
  return { id: insertRow(tx, 'chat_messages', message), ...message };
}

/** Returns the newest `limit` messages, oldest first. */
export function listMessages(
  tx: Tx,
  { project, task, limit }: { readonly project: string; readonly task?: string | undefined; readonly limit: number },
): Message[] {
  return tx
    .all<Message>(
      `SELECT * FROM chat_messages WHERE project_id = ?1 AND (?2 IS NULL OR task_id = ?2) ORDER BY id DESC LIMIT ?3`,
      project,
      task ?? null,
      limit,
    )
    .reverse();
}

/** Returns the ids of messages from `first` to `last`, inclusive. */
export function messagesBetween(tx: Tx, project: string, task: string | null, first: number, last: number): number[] {
  const rows = tx.all<{ id: number }>(
    `SELECT id FROM chat_messages WHERE project_id = ?1 AND (?2 IS NULL OR task_id = ?2) AND id BETWEEN ?3 AND ?4`,
    project,
    task,
    first,
    last,
  );
  return rows.map(({ id }) => id);
}

export interface Summary {
  readonly id: number;
  readonly project_id: string;
  readonly task_id: string | null;
  readonly message_range_start: number;
  readonly message_range_end: number;
  readonly summary: string;
  readonly key_decisions: string | null;
  readonly token_count: number | null;
  readonly created_at: string;
}

export function insertSummary(tx: Tx, summary: Omit<Summary, 'id'>): Summary {
  return { id: insertRow(tx, 'summaries', summary), ...summary };
}

export function listSummaries(tx: Tx, project: string): Summary[] {
  return tx.all<Summary>('SELECT * FROM summaries WHERE project_id = ? ORDER BY message_range_start, id', project);
}
