import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { canonicalDirectory, databasePath } from '../adapters/files.ts';
import { listSessions } from '../service/sessions.ts';
import { type Np, openNp, type SessionTarget } from '../service/np.ts';
import { listTasks } from '../service/plan.ts';
import type { TargetOptions } from './command.ts';

export interface NpContext {
  readonly options: TargetOptions;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
}

/** Resolves the directory only when needed, because listing sessions must work in a deleted directory. */
export function targetOf(np: Np, { session, dir }: TargetOptions): SessionTarget {
  return {
    np,
    get where() {
      return session === undefined ? { directory: canonicalDirectory(dir) } : { sid: session };
    },
    get directory() {
      return canonicalDirectory(dir);
    },
  };
}

/** Opens the database for one command. Prints the keys of damaged values that it left out. */
export async function withNp<T>(
  { options, env, note }: NpContext,
  use: (target: SessionTarget) => Promise<T>,
): Promise<T> {
  const unreadable = new Set<string>();
  const np = await openNp({ path: databasePath(env), onUnreadable: (key) => void unreadable.add(key) });
  try {
    return await use(targetOf(np, options));
  } finally {
    for (const key of unreadable) note(`Skipped: the value under ${key} is damaged. 'np verify --repair' restores it.`);
    await np.close({ processIsEnding: true });
  }
}

const SESSIONS_MAX = 50;

/** Newest sessions first, each with its goal. */
export async function completeSession({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  const np = await openNp({ path: databasePath(env), create: false });
  const { items } = await listSessions(np, { state: 'all', limit: SESSIONS_MAX });
  return items.map(({ session, goal }) => ({ value: session.sid, summary: goal?.title ?? session.dir_path }));
}

/** Tasks of the session of this directory. */
export async function completeTask({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  const np = await openNp({ path: databasePath(env), create: false });
  const { tasks } = await listTasks(np, { directory: canonicalDirectory() });
  return tasks.map(({ id, title }) => ({ value: id, summary: title }));
}
