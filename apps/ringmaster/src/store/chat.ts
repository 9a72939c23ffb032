import type { Tx } from './open.ts';

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
  return tx.get<Message>(
    `INSERT INTO chat_messages (project_id, task_id, role, content, media_type, media_path, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING *`,
    message.project_id,
    message.task_id,
    message.role,
    message.content,
    message.media_type,
    message.media_path,
    message.created_at,
  ) as Message;
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

/** Ids of messages from `first` to `last`, inclusive. */
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
