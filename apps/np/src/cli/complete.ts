import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { canonicalDirectory, databaseOf } from '../adapters/files.ts';
import { openNp } from '../service/np.ts';
import { listTasks } from '../service/plan.ts';
import { listSessions } from '../service/sessions.ts';

const SESSIONS_MAX = 50;

/** Returns sessions with their goals, newest first. */
export async function completeSession({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  if (usesServer(env)) return [];
  const np = await openNp({ ...databaseOf(env), create: false });
  const { items } = await listSessions(np, { state: 'all', limit: SESSIONS_MAX });
  return items.map(({ session, goal }) => ({ value: session.sid, summary: goal?.title ?? session.dir_path }));
}

/** Returns the tasks of this directory's session. */
export async function completeTask({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  if (usesServer(env)) return [];
  const np = await openNp({ ...databaseOf(env), create: false });
  const { tasks } = await listTasks(np, { directory: canonicalDirectory() });
  return tasks.map(({ id, title }) => ({ value: id, summary: title }));
}

/** Completion must not wait for a network. */
function usesServer(env: CompletionRequest['env']): boolean {
  return (env['NP_SERVER'] ?? '') !== '';
}
