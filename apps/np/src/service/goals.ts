import { npErrors } from '../model/errors.ts';
import { requireReason } from '../model/reason.ts';
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

export interface UpdateGoalRequest extends Call {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
}

/** Keeps omitted fields. As specified, a missing goal is reported before a missing reason. */
export function updateGoal(np: Np, request: UpdateGoalRequest): Promise<Goal> {
  const { title, description } = request;
  if (title !== undefined) checkTitle(title);
  if (description !== undefined) checkText(description, 'description');
  return changeSession(np, request, async (change) => {
    const key = { sid: change.sid };
    const before = await change.tx.get(goals, key);
    if (before === undefined) throw npErrors.NO_GOAL("No goal set yet. Use 'np g s' to set it first.");
    if (title === undefined && description === undefined) {
      throw npErrors.NOTHING_TO_CHANGE('The update names no new title or description.');
    }
    const reason = requireReason(checkReason(request.reason), 'Updating the goal');
    const content = { title: title ?? before.title, description: description ?? before.description };
    if (content.title === before.title && content.description === before.description) return before;
    const after = { ...content, updated_at: change.at };
    await change.tx.put(goals, key, after);
    change.emit('goal_updated', { goal_before: before, goal_after: after }, reason);
    return after;
  });
}
