import type { operationFilters } from '../../operations/operations.ts';
import type { ObjectValue } from '@holdfast/operation';
import { pageOfOperations, readLog, readOperation } from '../../store/operations.ts';
import type { Audiobooks } from '../audiobooks.ts';
import { cancelOperation as requestCancel } from '../operations/run-operation.ts';
import { operationView } from '../views.ts';

export async function listOperations({ reader }: Audiobooks, { type, ...page }: ObjectValue<typeof operationFilters>) {
  const { items, cursor } = await pageOfOperations(reader, type, page);
  return { data: items.map(operationView), next_cursor: cursor ?? null };
}

export async function showOperation({ store }: Audiobooks, { operation }: { readonly operation: string }) {
  return operationView(await readOperation(store, operation.toUpperCase()));
}

export async function operationLog(
  { store, reader }: Audiobooks,
  input: { readonly operation: string } & { readonly after: number; readonly limit: number },
) {
  const { operation, after, limit } = input;
  const { id } = await readOperation(store, operation.toUpperCase());
  const lines = await readLog(reader, id, after, limit);
  const last = lines.at(-1);
  return { data: lines, next_cursor: last === undefined || lines.length < limit ? null : String(last.seq) };
}

export async function cancelOperation(audiobooks: Audiobooks, { operation }: { readonly operation: string }) {
  return operationView(await requestCancel(audiobooks, operation.toUpperCase()));
}
