import { npErrors } from '../model/errors.ts';
import { requireReason } from '../model/reason.ts';
import type { Goal } from '../model/session.ts';
import { checkReason, checkText, checkTitle } from '../model/text.ts';
import { goals } from '../store/definitions.ts';
import { changeSession } from './change.ts';
import type { Call, Np } from './np.ts';

export interface UpdateGoalRequest extends Call {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly reason?: string | undefined;
}

/** `np g u`. What is not given stays as it is. The seed looks for the goal first and for the reason second. */
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
