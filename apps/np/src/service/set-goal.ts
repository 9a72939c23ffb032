import { npErrors } from '../model/errors.ts';
import type { Goal } from '../model/session.ts';
import { checkReason, checkText, checkTitle } from '../model/text.ts';
import { goals } from '../store/definitions.ts';
import { changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

export interface SetGoalRequest extends Call {
  readonly title: string;
  readonly description: string;
  readonly reason?: string | undefined;
}

/** `np g s`. */
export function setGoal(np: Np, request: SetGoalRequest): Promise<Goal> {
  const title = checkTitle(request.title);
  const description = checkText(request.description, 'description');
  const reason = checkReason(request.reason);
  return changeSession(np, request, async (change) => {
    const key = { sid: change.sid };
    if ((await change.tx.get(goals, key)) !== undefined) {
      throw npErrors.GOAL_EXISTS("Goal already set. Use 'np g u' to update it (requires -r/--reason flag).");
    }
    const goal = { title, description, updated_at: change.at };
    await change.tx.put(goals, key, goal);
    change.emit('goal_set', { goal }, reason);
    return goal;
  });
}
