import { isHoldfastError, type ShownValue, shownValue } from '@holdfast/base';
import type { Problem, Transaction, VerifyReport } from '@holdfast/keyspace';
import { countByStatus, NO_TASKS, type Stats } from '../model/plan.ts';
import { events, sessions, stats, tasks } from '../store/definitions.ts';
import { storedEntries } from '../store/store.ts';
import type { Np } from './np.ts';

/**
 * Checks the keyspace's rules (values, indexes, log numbers) and np's rules: the counts agree with the tasks, the
 * counter agrees with the log, and each task agrees with the event that created it.
 */
export async function verify(np: Np, repair: boolean): Promise<VerifyReport> {
  const report = repair ? await np.store.repair() : await np.store.verify();
  const problems: Problem[] = [...report.problems];
  const setAside = new Set(report.setAside);
  for await (const [key] of storedEntries(np.store, 's/')) {
    const sid = sessions.template.decode(key)?.['sid'];
    if (sid === undefined) continue;
    problems.push(...(await checkSession(np, sid as string, repair, setAside)));
  }
  return { ...report, problems };
}

/** Checks one session. Skips a session with unreadable values, which the keyspace has already reported. */
async function checkSession(
  np: Np,
  sid: string,
  repair: boolean,
  setAside: ReadonlySet<string>,
): Promise<readonly Problem[]> {
  try {
    return await np.store.transact(async (tx) => [
      ...(await checkStats(tx, sid, repair)),
      ...(await checkLog(tx, sid, setAside)),
    ]);
  } catch (error) {
    if (isHoldfastError(error, 'VALUE_UNREADABLE')) return [];
    throw error;
  }
}

async function checkStats(tx: Transaction, sid: string, repair: boolean): Promise<readonly Problem[]> {
  const expected = countByStatus(await tx.list(tasks, { sid }));
  const stored = await tx.get(stats, { sid });
  const actual: Partial<Stats> = stored ?? NO_TASKS;
  const isRight = Object.entries(expected).every(([status, count]) => actual[status as keyof Stats] === count);
  if (isRight) return [];
  const session = await tx.get(sessions, { sid });
  if (repair && session !== undefined)
    await tx.put(stats, { sid }, { ...expected, updated_at: session.last_updated_at });
  const key = stats.template.encode({ sid });
  return [{ kind: 'wrong_counter', key, detail: 'the counts differ from the tasks', repaired: repair }];
}

async function checkLog(tx: Transaction, sid: string, setAside: ReadonlySet<string>): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  const [last] = await tx.list(events, { sid }, { reverse: true, limit: 1 });
  const counter = await tx.get(events.counter, { sid });
  const isSetAside = (seq: number): boolean => setAside.has(events.template.encode({ sid, seq }));
  if (last?.seq !== counter && !isSetAside(counter)) {
    const key = events.counter.template.encode({ sid });
    const detail = `is ${counter}, but the last event is ${last?.seq ?? 'missing'}`;
    problems.push({ kind: 'wrong_counter', key, detail, repaired: false });
  }
  for (const { id, created_seq: seq } of await tx.list(tasks, { sid })) {
    const event = await tx.get(events, { sid, seq });
    if (isSetAside(seq) || (event?.type === 'task_added' && event.payload.task.id === id)) continue;
    const key = tasks.template.encode({ sid, id });
    problems.push({ kind: 'log_gap', key, detail: `event ${seq} did not create this task`, repaired: false });
  }
  return problems;
}

export interface StoredKey extends ShownValue {
  readonly key: string;
}

/** Lists keys in the same form as `holdfast keys`. */
export async function listKeys(np: Np, prefix: string): Promise<readonly StoredKey[]> {
  const found: StoredKey[] = [];
  for await (const [key, stored] of storedEntries(np.store, prefix)) found.push({ key, ...shownValue(stored) });
  return found;
}
