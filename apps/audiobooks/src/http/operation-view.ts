import type { z } from 'zod';

import { canUndo, type Operation, summaryOf } from '../model/operation.ts';
import type { operationSchema } from './schemas.ts';

export function operationView(operation: Operation): z.infer<typeof operationSchema> {
  const { id, type, status, progress, created_by, started_at, completed_at, error, target } = operation;
  return {
    id,
    type,
    status,
    progress,
    created_by,
    created_at: operation.created_at,
    started_at,
    completed_at,
    error,
    error_code: operation.error_code,
    target,
    summary: summaryOf(operation),
    can_undo: canUndo(operation),
    cancelling: operation.cancel_requested && completed_at === null,
    undone_by: operation.undone_by,
    undoes: operation.undoes,
  };
}
