import type { HoldfastError } from '@holdfast/base';

import { codexErrors } from '../model/errors.ts';
import type { FileEvent } from '../model/event.ts';

/** The error of an operation that somebody waited for, as if it had been thrown right here. */
export function errorOf(event: FileEvent): HoldfastError {
  const message = event.error_message ?? `Event ${event.id} is ${event.status}`;
  const known = (codexErrors as Readonly<Record<string, (typeof codexErrors)['EVENT_FAILED']>>)[event.error_code ?? ''];
  return (known ?? codexErrors.EVENT_FAILED)(message, { details: { event_id: event.id, status: event.status } });
}
