import { z } from 'zod';
import { LOG_LEVELS, OPERATION_TYPES } from './choices.ts';
import { count, id, time } from './stored.ts';

const OPERATION_STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled', 'interrupted'] as const;
type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const operationShape = z.object({
  id,
  type: z.enum(OPERATION_TYPES),
  status: z.enum(OPERATION_STATUSES),
  /** The id of a book or library. A target has at most one open operation. */
  target: z.string(),
  params: z.record(z.string(), z.unknown()),
  result: z.record(z.string(), z.unknown()).nullable(),
  error: z.string().nullable(),
  error_code: z.string().nullable(),
  progress: z.object({ current: count, total: count, phase: z.string() }),
  cancel_requested: z.boolean(),
  /** A repeated request with the same key returns this operation. */
  idempotency_key: z.string().nullable(),
  /** The process that runs the operation, and the time of its last heartbeat. */
  owner: z.string().nullable(),
  heartbeat_at: time.nullable(),
  attempts: count,
  undoable: z.boolean(),
  undone_by: id.nullable(),
  undoes: id.nullable(),
  created_by: z.string(),
  created_at: time,
  started_at: time.nullable(),
  completed_at: time.nullable(),
  version: z.literal(1),
});
export type Operation = z.infer<typeof operationShape>;

export interface OperationOptions {
  readonly by: string;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((current: number, total: number, phase: string) => void) | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Called when the operation is stored and about to start. */
  readonly onAccepted?: ((operation: Operation) => void) | undefined;
}

export const operationLogShape = z.object({
  seq: count,
  timestamp: time,
  level: z.enum(LOG_LEVELS),
  message: z.string(),
  version: z.literal(1),
});
export type OperationLog = z.infer<typeof operationLogShape>;

/** A file step, recorded before it is taken so that recovery can finish or undo it. Only engines read `data`. */
export const journalEntryShape = z.object({
  seq: count,
  kind: z.string(),
  state: z.enum(['planned', 'done', 'undone']),
  data: z.record(z.string(), z.unknown()),
  version: z.literal(1),
});
export type JournalEntry = z.infer<typeof journalEntryShape>;

/** The previous paths of one book's moved files, for undo. */
export const movedBookShape = z.object({
  book_id: id,
  folder: z.string().nullable(),
  moves: z.array(z.object({ bookId: id, segmentId: id.optional(), from: z.string(), to: z.string() })),
  version: z.literal(1),
});
export type MovedBook = z.infer<typeof movedBookShape>;

const FINISHED: ReadonlySet<OperationStatus> = new Set(['completed', 'failed', 'cancelled']);

/** Interrupted operations are not finished: recovery finishes or undoes them at the next start. */
export function isFinished({ status }: Operation): boolean {
  return FINISHED.has(status);
}

export function summaryOf({ result, params }: Operation): string | null {
  if (result?.['switched'] === true) return switchedText(result, params['format']);
  const facts = Object.entries(result ?? {}).flatMap(([name, value]) =>
    typeof value === 'number' && value > 0
      ? [
          `${value} ${name
            .replaceAll('_', ' ')
            .replaceAll(/([A-Z])/gu, ' $1')
            .toLowerCase()}`,
        ]
      : [],
  );
  return facts.length === 0 ? null : facts.join(', ');
}

function switchedText(result: Readonly<Record<string, unknown>>, format: unknown): string {
  const pathsOf = (name: string): readonly string[] =>
    ((result[name] ?? []) as readonly { readonly path: string }[]).map(({ path }) => path);
  const [before, after] = [pathsOf('old_segments'), pathsOf('new_segments')];
  const files = before.length === 1 ? (before[0] ?? '') : `${before.length} files`;
  return `${files} became ${after.length === 1 ? (after[0] ?? '') : String(format)}`;
}

export function canUndo({ undoable, undone_by: undone, ...operation }: Operation): boolean {
  return undoable && undone === null && FINISHED.has(operation.status);
}
