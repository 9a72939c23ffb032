import { failpoint, HeldLease, HoldfastError, isHoldfastError, type Renewal, SECOND } from '@holdfast/base';
import { ownerOfThisProcess } from '../../adapters/operation-owner.ts';
import { audiobookErrors } from '../../model/errors.ts';
import { isFinished, type Operation } from '../../model/operation.ts';
import { toTime } from '../../model/stored.ts';
import {
  changeOperation,
  insertOperation,
  makeOperation,
  type NewOperation,
  readOperation,
} from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import type { OperationContext } from '../../model/engines.ts';
import { pruneOperations } from './prune-operations.ts';
import { Reporter } from './reporter.ts';
import { stepJournal } from './step-journal.ts';

export interface OperationRequest extends NewOperation {
  /** Cancels the operation, for example when the command is interrupted. */
  readonly signal?: AbortSignal | undefined;
  /** Called on progress, for a progress bar. */
  readonly onProgress?: ((current: number, total: number, phase: string) => void) | undefined;
  readonly onAccepted?: ((operation: Operation) => void) | undefined;
}

export interface OperationOutcome {
  readonly result: Readonly<Record<string, unknown>>;
  readonly undoable?: boolean;
}

/** How often progress is stored and a cancellation noticed. */
const HEARTBEAT_MS = 500;
/** An owner on another machine that has been silent for longer counts as dead. */
export const OPERATION_LEASE_MS: number = 60 * SECOND;

/**
 * Runs `body` as an operation that other processes can see, follow and cancel, and that recovery finds if this process
 * dies. Resolves with the finished operation; rejects with the error, which the operation also records.
 */
export async function runOperation(
  audiobooks: Audiobooks,
  request: OperationRequest,
  body: (context: OperationContext) => Promise<OperationOutcome>,
): Promise<Operation> {
  const at = toTime(audiobooks.now());
  const made = { ...makeOperation(request, audiobooks.newId(), at), owner: ownerOfThisProcess(), heartbeat_at: at };
  const operation = await insertOperation(audiobooks.store, made);
  // A repeated request receives the first operation.
  if (operation.id !== made.id) return operation;
  failpoint('audiobooks.operation.inserted');
  request.onAccepted?.(operation);
  return carryOut(audiobooks, operation, request, body);
}

/** Also finishes interrupted operations. */
export async function carryOut(
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
      onLost: () => abort.abort(audiobookErrors.OPERATION_CANCELLED('Another process took the operation over.')),
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
    const reason = abort.signal.aborted ? cancelled(error) : error;
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
          // Keep the results committed before a failure.
          result: ending.result === undefined ? operation.result : { ...ending.result },
          undoable: ending.undoable ?? operation.result?.['switched'] === true,
          error: ending.error === undefined ? null : messageOf(ending.error),
          error_code: ending.error instanceof HoldfastError ? ending.error.code : null,
          owner: null,
          completed_at: at,
        },
  );
  if (finished === undefined) throw audiobookErrors.OPERATION_NOT_FOUND(`Operation ${id} is gone.`);
  return finished;
}

function cancelled(error: unknown): HoldfastError {
  if (isHoldfastError(error, 'OPERATION_CANCELLED')) return error;
  return audiobookErrors.OPERATION_CANCELLED('The operation was cancelled.', { cause: error });
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
