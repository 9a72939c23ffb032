import {
  failpoint,
  HeldLease,
  HoldfastError,
  isHoldfastError,
  type Renewal,
  SECOND,
  SerialQueue,
  systemErrorCode,
} from '@holdfast/base';
import { ownerOfThisProcess } from '../../adapters/process.ts';
import type { LogLevel } from '../../model/choices.ts';
import type { OperationContext, Step, StepJournal, StepState } from '../../model/engines.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { isFinished, type JournalEntry, type Operation, type OperationOptions } from '../../model/operation.ts';
import { toTime } from '../../model/stored.ts';
import { operationJournal, operations } from '../../store/definitions.ts';
import {
  appendLog,
  changeOperation,
  insertOperation,
  journalOf,
  type LogLine,
  makeOperation,
  type NewOperation,
  readOperation,
} from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { pruneOperations } from './prune-operations.ts';

type OperationRequest = NewOperation & Omit<OperationOptions, 'by'>;

export interface OperationOutcome {
  readonly result: Readonly<Record<string, unknown>>;
  readonly undoable?: boolean;
}

/** How often the operation stores its progress and checks for a cancellation request. */
const HEARTBEAT_MS = 500;
/** An owner on another machine counts as dead after this time without a heartbeat. */
export const OPERATION_LEASE_MS: number = 60 * SECOND;

/**
 * Runs `body` as an operation that other processes can list, follow and cancel. If this process dies, recovery finds
 * the operation. Resolves with the finished operation; rejects with the error that ended it, which the operation also
 * records.
 */
export async function runOperation(
  audiobooks: Audiobooks,
  request: OperationRequest,
  body: (context: OperationContext) => Promise<OperationOutcome>,
): Promise<Operation> {
  const at = toTime(audiobooks.now());
  const made = { ...makeOperation(request, audiobooks.newId(), at), owner: ownerOfThisProcess(), heartbeat_at: at };
  const operation = await insertOperation(audiobooks.store, made);
  // An earlier request had the same idempotency key, so its operation is returned.
  if (operation.id !== made.id) return operation;
  failpoint('audiobooks.operation.inserted');
  request.onAccepted?.(operation);
  return execute(audiobooks, operation, request, body);
}

/** Runs the body of an operation and records how it ends. Recovery also uses this function. */
export async function execute(
  audiobooks: Audiobooks,
  operation: Operation,
  { signal, onProgress }: Pick<OperationRequest, 'signal' | 'onProgress'>,
  body: (context: OperationContext) => Promise<OperationOutcome>,
): Promise<Operation> {
  const { id } = operation;
  const owner = ownerOfThisProcess();
  const reporter = new Reporter(audiobooks, id, owner);
  const abort = new AbortController();
  const stopListening = forwardAbort(signal, abort);
  const at = toTime(audiobooks.now());
  const started = { status: 'running', owner, heartbeat_at: at } as const;
  await changeOperation(audiobooks.store, id, (now) => ({ ...now, ...started, started_at: now.started_at ?? at }));
  const lease = new HeldLease(
    {
      durationMs: OPERATION_LEASE_MS,
      renewEveryMs: HEARTBEAT_MS,
      renew: () => beat(audiobooks, id, reporter, abort),
      onLost: () => abort.abort(audiobookErrors.OPERATION_CANCELLED('Another process took over the operation.')),
    },
    performance.now(),
  );
  try {
    const outcome = await body({
      operationId: id,
      signal: abort.signal,
      progress: (current, total, phase = '') => {
        reporter.progress(current, total, phase);
        onProgress?.(current, total, phase);
      },
      log: (level, message) => reporter.log(level, message),
      journal: stepJournal(audiobooks, id),
    });
    await reporter.flush();
    failpoint('audiobooks.operation.done');
    return await finish(audiobooks, id, owner, { status: 'completed', ...outcome });
  } catch (error) {
    const reason = abort.signal.aborted ? cancelled(error) : withCode(error);
    reporter.log('error', messageOf(reason));
    await reporter.flush().catch(() => undefined);
    await finish(audiobooks, id, owner, {
      status: isHoldfastError(reason, 'OPERATION_CANCELLED') ? 'cancelled' : 'failed',
      error: reason,
    });
    throw reason;
  } finally {
    lease.stop();
    stopListening();
    await pruneOperations(audiobooks).catch(() => undefined);
  }
}

async function beat(audiobooks: Audiobooks, id: string, reporter: Reporter, abort: AbortController): Promise<Renewal> {
  await reporter.flush();
  const { owner, cancel_requested } = await readOperation(audiobooks.store, id);
  if (cancel_requested) abort.abort(audiobookErrors.OPERATION_CANCELLED('The operation was cancelled.'));
  return owner === ownerOfThisProcess() ? 'renewed' : 'lost';
}

interface Ending {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly result?: Readonly<Record<string, unknown>>;
  readonly undoable?: boolean;
  readonly error?: unknown;
}

async function finish(audiobooks: Audiobooks, id: string, owner: string, ending: Ending): Promise<Operation> {
  const at = toTime(audiobooks.now());
  const finished = await changeOperation(audiobooks.store, id, (operation) =>
    isFinished(operation) || operation.owner !== owner
      ? operation
      : {
          ...operation,
          status: ending.status,
          // Keeps results that the operation committed before it failed.
          result: ending.result === undefined ? operation.result : { ...ending.result },
          undoable: ending.undoable ?? operation.result?.['switched'] === true,
          error: ending.error === undefined ? null : messageOf(ending.error),
          error_code: ending.error instanceof HoldfastError ? ending.error.code : null,
          owner: null,
          completed_at: at,
        },
  );
  if (finished === undefined) throw audiobookErrors.OPERATION_NOT_FOUND(`Operation ${id} no longer exists.`);
  return finished;
}

function cancelled(error: unknown): HoldfastError {
  if (isHoldfastError(error, 'OPERATION_CANCELLED')) return error;
  return audiobookErrors.OPERATION_CANCELLED('The operation was cancelled.', { cause: error });
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const READ_ONLY: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** Converts system errors that a user can fix to errors with a stable code. */
function withCode(error: unknown): unknown {
  const code = systemErrorCode(error) ?? '';
  const message = messageOf(error);
  if (FULL.has(code)) return audiobookErrors.LIBRARY_FULL(message, { cause: error });
  return READ_ONLY.has(code) ? audiobookErrors.LIBRARY_READ_ONLY(message, { cause: error }) : error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function forwardAbort(signal: AbortSignal | undefined, abort: AbortController): () => void {
  if (signal === undefined) return () => undefined;
  const forward = (): void => abort.abort(signal.reason);
  if (signal.aborted) forward();
  signal.addEventListener('abort', forward, { once: true });
  return () => signal.removeEventListener('abort', forward);
}

const LINES_MAX = 10_000;

/** Collects a running operation's progress and log lines and writes them in one commit a few times a second. */
class Reporter {
  readonly #audiobooks: Audiobooks;
  readonly #id: string;
  readonly #owner: string;
  #lines: LogLine[] = [];
  #written = 0;
  #progress: Operation['progress'] | undefined;
  readonly #writes = new SerialQueue();

  constructor(audiobooks: Audiobooks, id: string, owner: string) {
    this.#audiobooks = audiobooks;
    this.#id = id;
    this.#owner = owner;
  }

  progress(current: number, total: number, phase = ''): void {
    this.#progress = { current: Math.max(0, Math.round(current)), total: Math.max(0, Math.round(total)), phase };
  }

  log(level: LogLevel, message: string): void {
    this.#written += 1;
    if (this.#written > LINES_MAX && level === 'info') return;
    if (this.#written > 2 * LINES_MAX) return;
    this.#lines.push({ level, message: message.toWellFormed(), at: toTime(this.#audiobooks.now()) });
  }

  /**
   * Writes the collected progress and log lines. Renews the lease, unless another process has taken over the operation.
   */
  flush(): Promise<void> {
    return this.#writes.run(() => this.#write());
  }

  async #write(): Promise<void> {
    const lines = this.#lines;
    const progress = this.#progress;
    this.#lines = [];
    const heartbeat = toTime(this.#audiobooks.now());
    await this.#audiobooks.store.transact(async (tx) => {
      for (const line of lines) appendLog(tx, this.#id, line);
      await tx.update(operations, { id: this.#id }, (operation) => {
        if (operation.owner !== this.#owner) return operation;
        return { ...operation, heartbeat_at: heartbeat, progress: progress ?? operation.progress };
      });
    });
  }
}

function stepJournal({ store }: Audiobooks, op: string): StepJournal {
  return {
    plan: (steps) =>
      store.transact(async (tx) => {
        const [last] = await tx.list(operationJournal, { op }, { reverse: true, limit: 1 });
        const first = (last?.seq ?? 0) + 1;
        for (const [index, { kind, data }] of steps.entries()) {
          const seq = first + index;
          const entry: JournalEntry = { seq, kind, state: 'planned', data: { ...data }, version: 1 };
          await tx.put(operationJournal, { op, seq }, entry);
        }
        return steps.map((_, index) => first + index);
      }),
    mark: (seqs: readonly number[], state: StepState) =>
      store.transact(async (tx) => {
        for (const seq of seqs) {
          await tx.update(operationJournal, { op, seq }, (entry) => ({ ...entry, state }));
        }
      }),
    steps: async (): Promise<readonly Step[]> => journalOf(store, op),
  };
}

/** Requests cancellation; the running process notices within a second. */
export async function cancelOperation({ store }: Audiobooks, id: string): Promise<Operation> {
  const changed = await changeOperation(store, id, (operation) => {
    if (isFinished(operation)) throw audiobookErrors.OPERATION_FINISHED(`Operation ${id} is ${operation.status}.`);
    return { ...operation, cancel_requested: true };
  });
  if (changed === undefined) throw audiobookErrors.OPERATION_NOT_FOUND(`There is no operation ${id}.`);
  return changed;
}
