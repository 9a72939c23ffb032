import type { ExportedSession } from '../model/exported.ts';
import { readEvents } from '../store/events.ts';
import { readPlan } from '../store/plan.ts';
import type { Np, Where } from './np.ts';
import { resolveSession } from './resolve.ts';

/** Plan and log as of one moment. */
export async function exportSession(np: Np, where: Where): Promise<ExportedSession> {
  return np.store.snapshot(async (reads) => {
    const session = await resolveSession(reads, where);
    const { goal, tasks } = await readPlan(reads, session);
    const events = await readEvents(reads, session.sid, {});
    return { format: 'np-session', version: 1, session, goal: goal ?? null, tasks, events };
  });
}
