import type { InputOf, OutputOf } from '@holdfast/operation';
import type * as operations from '../../operations/operations.ts';
import type { OperationView } from '../../operations/fields.ts';
import { pageOfOperations, readLog, readOperation } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { cancelOperation as requestCancel } from '../operations/run-operation.ts';
import { operationView } from '../views.ts';

export async function listOperations(
  { store }: Audiobooks,
  { type, ...page }: InputOf<typeof operations.listOperations>,
): Promise<OutputOf<typeof operations.listOperations>> {
  const { items, cursor } = await pageOfOperations(store, type, page);
  return { data: items.map(operationView), next_cursor: cursor ?? null };
}

export async function showOperation(
  { store }: Audiobooks,
  { operation }: InputOf<typeof operations.showOperation>,
): Promise<OperationView> {
  return operationView(await readOperation(store, operation.toUpperCase()));
}

export async function operationLog(
  { store }: Audiobooks,
  { operation, after, limit }: InputOf<typeof operations.operationLog>,
): Promise<OutputOf<typeof operations.operationLog>> {
  const { id } = await readOperation(store, operation.toUpperCase());
  const lines = await readLog(store, id, after, limit);
  const last = lines.at(-1);
  return { data: lines, next_cursor: last === undefined || lines.length < limit ? null : String(last.seq) };
}

export async function cancelOperation(
  audiobooks: Audiobooks,
  { operation }: InputOf<typeof operations.cancelOperation>,
): Promise<OperationView> {
  return operationView(await requestCancel(audiobooks, operation.toUpperCase()));
}
