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
  /** A later request with the same key returns this operation. */
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

/**
 * A step on a file. It is recorded before it is taken, so that recovery can finish or undo it. Only engines read
 * `data`.
 */
export const journalEntryShape = z.object({
  seq: count,
  kind: z.string(),
  state: z.enum(['planned', 'done', 'undone']),
  data: z.record(z.string(), z.unknown()),
  version: z.literal(1),
});
export type JournalEntry = z.infer<typeof journalEntryShape>;

/** Paths of a book's files before they were moved, for undo. */
export const movedBookShape = z.object({
  book_id: id,
  folder: z.string().nullable(),
  moves: z.array(z.object({ bookId: id, segmentId: id.optional(), from: z.string(), to: z.string() })),
  version: z.literal(1),
});
export type MovedBook = z.infer<typeof movedBookShape>;

const FINISHED: ReadonlySet<OperationStatus> = new Set(['completed', 'failed', 'cancelled']);

/**
 * Returns whether the operation has ended. An interrupted operation has not ended: recovery finishes or undoes it at
 * the next start.
 */
export function isFinished({ status }: Operation): boolean {
  return FINISHED.has(status);
}

/** Scan counts that mean nothing to a listener. */
const details: ReadonlySet<string> = new Set(['units', 'unchangedUnits', 'readFiles']);

export function summaryOf({ result, params }: Operation): string | null {
  if (Array.isArray(result?.['tagged'])) return taggedText(result['tagged'].length);
  if (result?.['switched'] === true) return switchedText(result, params['format']);
  const { problems, ...counts } = result ?? {};
  const facts = Object.entries(counts).flatMap(([name, value]) =>
    typeof value === 'number' && value > 0 && !details.has(name) ? [countText(value, name)] : [],
  );
  if (counts['units'] !== undefined && counts['units'] === counts['unchangedUnits']) facts.push('nothing changed');
  if (typeof problems === 'number' && problems > 0)
    facts.push(`${countText(problems, 'problems')} (listed in the log)`);
  return facts.length === 0 ? null : facts.join(', ');
}

/** `name` is a plural noun or a participle: `files`, `added`, `stayDeleted`. */
function countText(value: number, name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/([A-Z])/gu, ' $1')
    .toLowerCase();
  return `${value} ${value === 1 ? words.replace(/s$/u, '') : words}`;
}

function taggedText(files: number): string {
  return files === 0 ? 'All tags were up to date' : `Wrote tags into ${countText(files, 'files')}`;
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
