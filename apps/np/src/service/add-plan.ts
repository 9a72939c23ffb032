import type { TaskContent } from '../model/ids.ts';
import { parsePlan } from '../model/markdown-plan.ts';
import { checkText, checkTitle } from '../model/text.ts';
import type { Change } from './change.ts';
import { addTask } from './tasks.ts';

/** Parses a Markdown plan; returns a function that adds it to a new session and returns the number of tasks. */
export function planAdder(markdown: string): (change: Change) => Promise<number> {
  const { goal, tasks } = parsePlan(markdown);
  for (const { title, description } of goal === undefined ? tasks : [goal, ...tasks]) {
    checkTitle(title);
    checkText(description, 'description');
  }
  return async (change) => {
    if (goal !== undefined) await change.setGoal(goal, undefined);
    const addedHere = new Map<string, TaskContent>();
    let count = 0;
    for (const { isDone, ...content } of tasks) {
      const { task, changed } = await addTask(change, content, addedHere, undefined);
      if (changed) count += 1;
      if (isDone && changed) change.emitStatus(task, await change.updateTask(task, { status: 'completed' }), undefined);
    }
    await change.finish();
    return count;
  };
}
