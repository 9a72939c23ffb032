import type { Reads } from '@holdfast/keyspace';
import type { Plan } from '../model/plan.ts';
import { byOrder, countByStatus, type Session, type Task } from '../model/session.ts';
import type { Status } from '../model/status.ts';
import { goals, tasks } from './definitions.ts';

export async function readPlan(reads: Reads, session: Session): Promise<Plan> {
  const key = { sid: session.sid };
  const goal = await reads.get(goals, key);
  const found = await readTasks(reads, session.sid);
  return { session, goal, tasks: found, counts: countByStatus(found) };
}

/** Returns all tasks in order. Scanning and sorting them is faster than following the order index. */
export async function readTasks(reads: Reads, sid: string): Promise<readonly Task[]> {
  return (await reads.list(tasks, { sid })).sort(byOrder);
}

export function readTask(reads: Reads, sid: string, id: string): Promise<Task | undefined> {
  return reads.get(tasks, { sid, id });
}

/** Every task whose id begins with these hexadecimal digits: `g` sorts after the last of them. */
export function readTasksByPrefix(reads: Reads, sid: string, prefix: string): Promise<readonly Task[]> {
  return reads.list(tasks, { sid }, { start: prefix, end: `${prefix}g` });
}

export async function readTasksWithStatus(reads: Reads, sid: string, status: Status): Promise<readonly Task[]> {
  return (await reads.list(tasks.by.status, { sid, status })).sort(byOrder);
}
