import type { Page } from '@holdfast/keyspace';
import type { SessionSummary } from '../model/plan.ts';
import { listSessions as readSessions, type SessionPageRequest } from '../store/sessions.ts';
import type { Np } from './np.ts';

/** `np ls`, and the session picker: a page of sessions as they are now. */
export function listSessions(np: Np, request: SessionPageRequest): Promise<Page<SessionSummary>> {
  return np.store.snapshot((reads) => readSessions(reads, request));
}

export interface SessionSearch extends SessionPageRequest {
  readonly search: string;
}

/** Sessions with these words in their directory, goal or id. A page may hold fewer than asked for, never more. */
export function searchSessions(np: Np, { search, limit, ...request }: SessionSearch): Promise<Page<SessionSummary>> {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return listSessions(np, { ...request, limit });
  // Reads in halves, so that the last page still fits.
  const size = Math.ceil(limit / 2);
  return np.store.snapshot(async (reads) => {
    const items: SessionSummary[] = [];
    let { cursor } = request;
    do {
      const page = await readSessions(reads, { ...request, cursor, limit: size });
      items.push(...page.items.filter((summary) => mentions(summary, wanted)));
      ({ cursor } = page);
    } while (cursor !== undefined && items.length + size <= limit);
    return { items, cursor };
  });
}

function mentions({ session, goal }: SessionSummary, wanted: string): boolean {
  const texts = [session.dir_path, session.sid, goal?.title, goal?.description];
  return texts.some((text) => text?.toLowerCase().includes(wanted) ?? false);
}
