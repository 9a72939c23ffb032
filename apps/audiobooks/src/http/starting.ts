import { accepted, type HandlerInput } from '@holdfast/http';

import type { Operation, OperationOptions } from '../model/operation.ts';
import type { Audiobooks } from '../service/audiobooks.ts';
import { operationView } from './operation-view.ts';

/**
 * Begins an operation that goes on after the answer. Keys belong to whoever uses them: nobody is answered with another's
 * operation.
 */
export async function begun(
  { background }: Audiobooks,
  { principal, idempotencyKey: key }: Pick<HandlerInput<string, 'a:b'>, 'principal' | 'idempotencyKey'>,
  run: (asking: OperationOptions) => Promise<Operation>,
) {
  const idempotencyKey = key === undefined ? undefined : `${principal.userId}:${key}`;
  const operation = await background.start((started) => run({ ...started, by: principal.name, idempotencyKey }));
  return accepted(operationView(operation));
}
