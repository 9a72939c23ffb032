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
  const where = event.dest_path === null ? (event.path ?? '') : `${event.path ?? ''} → ${event.dest_path}`;
  const reason = event.error_message === null ? '' : `: ${event.error_message}`;
  page.line(style.dim(`${event.id}`), ` ${event.event_type} ${where} `, style.dim(`${event.status}${reason}`));
  const { conflict_path } = event.result === null ? {} : (JSON.parse(event.result) as EventResult);
  if (conflict_path !== undefined) page.line(`Somebody else had changed it; their version is kept as ${conflict_path}`);
}
