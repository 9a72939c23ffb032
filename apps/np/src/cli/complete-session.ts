import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { databasePath } from '../adapters/place.ts';
import { listSessions } from '../service/list-sessions.ts';
import { openNp } from '../service/np.ts';

const CANDIDATES_MAX = 50;

/** The sessions that are there, the newest first, each with its goal. */
export async function complete({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  const np = await openNp({ path: databasePath(env), create: false });
  const { items } = await listSessions(np, { state: 'all', limit: CANDIDATES_MAX });
  return items.map(({ session, goal }) => ({ value: session.sid, summary: goal?.title ?? session.dir_path }));
}
