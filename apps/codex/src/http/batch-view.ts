import type { z } from 'zod';

import { type FileEvent, isTerminal } from '../model/event.ts';
import type { batchSchema } from './schemas.ts';
import { eventView } from './views.ts';

const FAILED: ReadonlySet<FileEvent['status']> = new Set(['failed', 'skipped', 'cancelled', 'discarded']);

/** A batch is done when each of its events is; counted from the events themselves, so that it cannot be wrong. */
export function batchView(correlationId: string, found: readonly FileEvent[]): z.input<typeof batchSchema> {
  const completed = found.filter(({ status }) => status === 'completed' || status === 'superseded').length;
  const isOver = found.every(({ status }) => isTerminal(status));
  const hasFailed = found.some(({ status }) => FAILED.has(status));
  return {
    correlation_id: correlationId,
    total: found.length,
    completed,
    failed: found.filter(({ status }) => status === 'failed').length,
    status: isOver ? (hasFailed ? 'failed' : 'completed') : 'pending',
    events: found.map((event) => eventView(event)),
  };
}
