import type { Page, Reads, Transaction } from '@holdfast/keyspace';
import { isHoldfastError } from '@holdfast/base';
import type { LogLevel, OperationType } from '../model/choices.ts';
import { audiobookErrors } from '../model/errors.ts';
import type { JournalEntry, Operation, OperationLog } from '../model/operation.ts';
import { movedBooks, operationJournal, operationLogs, operations } from './definitions.ts';
import type { Store } from './open.ts';

export interface NewOperation {
  readonly type: OperationType;
  readonly target: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly createdBy: string;
  readonly idempotencyKey?: string | undefined;
  readonly undoes?: string | undefined;
}

export function makeOperation(request: NewOperation, id: string, at: string): Operation {
  return {
    id,
    type: request.type,
    status: 'pending',
    target: request.target,
    params: { ...request.params },
    result: null,
    error: null,
    error_code: null,
    progress: { current: 0, total: 0, phase: '' },
    cancel_requested: false,
    idempotency_key: request.idempotencyKey ?? null,
    owner: null,
    heartbeat_at: null,
    attempts: 0,
    undoable: false,
    undone_by: null,
    undoes: request.undoes ?? null,
    created_by: request.createdBy,
    created_at: at,
    started_at: null,
    completed_at: null,
    version: 1,
  };
}

/** Stores a new operation. If its target already has an open operation, throws an error with the id of that one. */
export async function insertOperation(store: Store, operation: Operation): Promise<Operation> {
  try {
    return await store.transact(async (tx) => {
      const key = operation.idempotency_key;
      const same = key === null ? undefined : await tx.find(operations.by.idempotency, { idempotency_key: key });
      if (same !== undefined) return same;
      await tx.insert(operations, { id: operation.id }, operation);
      return operation;
    });
  } catch (error) {
    if (!isHoldfastError(error, 'UNIQUE_TAKEN')) throw error;
    const other = await store.find(operations.by.target, { target: operation.target });
    throw audiobookErrors.OPERATION_RUNNING(
      `Operation ${other?.id ?? ''} (${other?.type ?? ''}) is already running on the same book or library.`,
      {
        cause: error,
        details: { operation: other?.id, type: other?.type },
      },
    );
  }
}

export async function readOperation(reads: Reads, id: string): Promise<Operation> {
  const operation = await reads.get(operations, { id });
  if (operation === undefined) throw audiobookErrors.OPERATION_NOT_FOUND(`There is no operation ${id}.`);
  return operation;
}

export function changeOperation(
  store: Store,
  id: string,
  change: (operation: Operation) => Operation,
): Promise<Operation | undefined> {
  return store.transact((tx) => tx.update(operations, { id }, change));
}

export function openOperations(reads: Reads): Promise<readonly Operation[]> {
  return reads.list(operations.by.open, {});
}

/** Returns a page of operations, newest first. */
export function pageOfOperations(
  reads: Reads,
  type: OperationType | undefined,
  options: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Operation>> {
  const page = { reverse: true, limit: options.limit, cursor: options.cursor };
  return type === undefined ? reads.page(operations, {}, page) : reads.page(operations.by.type, { type }, page);
}

export interface LogLine {
  readonly level: LogLevel;
  readonly message: string;
  readonly at: string;
}

export function appendLog(tx: Transaction, op: string, { level, message, at }: LogLine): void {
  tx.append(operationLogs, { op }, (seq) => ({ seq, timestamp: at, level, message, version: 1 }));
}

/** Returns log lines after a sequence number. */
export function readLog(reads: Reads, op: string, after: number, limit: number): Promise<readonly OperationLog[]> {
  return reads.list(operationLogs, { op }, { start: after + 1, limit });
}

export function journalOf(reads: Reads, op: string): Promise<readonly JournalEntry[]> {
  return reads.list(operationJournal, { op });
}

/** Removes an operation with its log, steps and undo data. */
export async function removeOperation(tx: Transaction, id: string): Promise<void> {
  for (const { key } of await tx.entries(operationLogs, { op: id })) {
    tx.writeKey(operationLogs.template.encode(key), undefined);
  }
  tx.writeKey(operationLogs.counter.template.encode({ op: id }), undefined);
  for (const { seq } of await journalOf(tx, id)) await tx.delete(operationJournal, { op: id, seq });
  for (const { book_id: book } of await tx.list(movedBooks, { op: id })) {
    await tx.delete(movedBooks, { op: id, book });
  }
  await tx.delete(operations, { id });
}
