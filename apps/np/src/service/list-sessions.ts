import type { Page } from '@holdfast/keyspace';
import type { SessionSummary } from '../model/plan.ts';
import { listSessions as readSessions, type SessionPageRequest } from '../store/sessions.ts';
import type { Np } from './np.ts';

/** `np ls`, and the session picker: a page of sessions as they are now. */
export function listSessions(np: Np, request: SessionPageRequest): Promise<Page<SessionSummary>> {
  return np.store.snapshot((reads) => readSessions(reads, request));
}
