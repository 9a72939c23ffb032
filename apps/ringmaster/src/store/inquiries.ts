import { insertRow, type Tx, updateRow } from './open.ts';

/** A decision or question. It is itself a task of that type, about another task. */
export interface Inquiry {
  readonly task_id: string;
  readonly about_id: string;
  readonly about_title: string;
  readonly type: 'decision' | 'question';
  readonly title: string;
  readonly status: string;
  readonly context: string | null;
  readonly options: string | null;
  readonly recommendation: string | null;
  readonly urgency: string;
  readonly default_answer: string | null;
  readonly answer: string | null;
  readonly answered_by: string | null;
  readonly answered_at: string | null;
}

type Asked = Pick<
  Inquiry,
  'task_id' | 'about_id' | 'context' | 'options' | 'recommendation' | 'urgency' | 'default_answer'
>;

export function insertInquiryRow(tx: Tx, asked: Asked): void {
  insertRow(tx, 'inquiries', asked);
}

type Answered = Pick<Inquiry, 'answer' | 'answered_by' | 'answered_at'>;

export function storeAnswer(tx: Tx, id: string, answered: Answered): void {
  updateRow(tx, 'inquiries', { task_id: id }, answered);
}

export function countOpen(tx: Tx, kind: Inquiry['type']): number {
  const row = tx.get<{ n: number }>(
    `SELECT count(*) AS n FROM inquiries i JOIN tasks t ON t.id = i.task_id 
     WHERE i.answered_at IS NULL AND t.type = ? AND t.deleted_at IS NULL`,
    kind,
  );
  return row?.n ?? 0;
}

/** Returns the id of the newest unanswered decision about a task. */
export function openDecision(tx: Tx, task: string): string | undefined {
  return listInquiries(tx, { about: task, kind: 'decision', all: false }).at(-1)?.task_id;
}

interface InquiryQuery {
  readonly id?: string;
  readonly about?: string;
  readonly kind?: string | undefined;
  readonly all?: boolean;
}

export function listInquiries(tx: Tx, { id, about, kind, all = true }: InquiryQuery): Inquiry[] {
  return tx.all<Inquiry>(
    `SELECT i.*, t.type, t.title, t.status, COALESCE(about.title, i.about_id) AS about_title
     FROM inquiries i JOIN tasks t ON t.id = i.task_id LEFT JOIN tasks about ON about.id = i.about_id
     WHERE (?1 IS NULL OR i.task_id = ?1) AND (?2 IS NULL OR t.type = ?2) AND (?3 OR (i.answered_at IS NULL AND t.deleted_at IS NULL))
       AND (?4 IS NULL OR i.about_id = ?4)
     ORDER BY t.created_at, t.id`,
    id ?? null,
    kind ?? null,
    all ? 1 : 0,
    about ?? null,
  );
}
