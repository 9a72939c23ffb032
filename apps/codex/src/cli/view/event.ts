import { type Page, style } from '@holdfast/cli';

import type { EventResult, FileEvent } from '../../model/event.ts';

/** For programs: without the content and what only the queue needs. */
export function eventData(event: FileEvent): Record<string, unknown> {
  const {
    content: _bytes,
    effective: _folded,
    fence: _lane,
    idempotency_key: _key,
    request_hash: _hash,
    ...rest
  } = event;
  return {
    ...rest,
    operation: JSON.parse(rest.operation),
    result: rest.result === null ? null : JSON.parse(rest.result),
  };
}

export function showEvent(page: Page, event: FileEvent): void {
  page.line(style.dim(`${event.id}`), ` ${whatOf(event)} `, style.dim(`${event.status}${whyOf(event)}`));
  const { conflict_path } = event.result === null ? {} : (JSON.parse(event.result) as EventResult);
  if (conflict_path !== undefined) page.line(`Somebody else had changed it; their version is kept as ${conflict_path}`);
}

export function whatOf({ event_type, path, dest_path }: FileEvent): string {
  const where = dest_path === null ? path : `${path ?? ''} → ${dest_path}`;
  return where === null ? event_type : `${event_type} ${where}`;
}

/** Why it failed, or has to be tried again. */
export function whyOf({ error_message }: FileEvent): string {
  return error_message === null ? '' : `: ${error_message}`;
}
