import { type Page, style, type Text } from '@holdfast/cli';
import { type Plan, progressOf } from '../../model/plan.ts';
import type { Task } from '../../model/session.ts';
import { LABEL_BY_STATUS, type Status, STATUSES, SYMBOL_BY_STATUS } from '../../model/status.ts';

/** A plan on a page, for people and agents: the goal, every task with its symbol and id, and how far it has come. */

const PORTION = 500;

const STYLE_BY_STATUS = {
  in_progress: style.yellow,
  completed: style.green,
  failed: style.red,
  cancelled: style.dim,
} as const satisfies Record<Exclude<Status, 'pending'>, (text: Text) => Text>;

export function printPlan(page: Page, plan: Plan): void {
  page.lines([...goalLines(plan.goal), '']);
  printTasks(page, plan.tasks);
  page.lines(['', ...footLines(plan)]);
}

export function goalLines(goal: Plan['goal']): readonly Text[] {
  if (goal === undefined) return [style.dim("No goal set yet. Use 'np g s' to set it.")];
  const title = [style.bold('Goal: '), style.bold(indented(goal.title, '      '))];
  return goal.description === '' ? [title] : [title, `  ${indented(goal.description, '  ')}`];
}

/** In portions: ten thousand lines that are all alive at once cost more to keep than to write. */
export function printTasks(page: Page, tasks: readonly Task[]): void {
  if (tasks.length === 0) page.line(style.dim("No tasks. Use 'np t a' to add some."));
  for (let start = 0; start < tasks.length; start += PORTION) {
    page.lines(tasks.slice(start, start + PORTION).map(taskText));
  }
}

/** Few pieces, and none with a style where there is nothing to say by it. */
function taskText({ id, title, description, status, actor }: Task): Text {
  const claimed = actor === undefined ? '' : `  (claimed by ${actor})`;
  const details = description === '' ? '' : `\n    ${indented(description, '    ')}`;
  const words = ` ${id}  ${indented(title, '          ')}${claimed}${details}`;
  const symbol = SYMBOL_BY_STATUS[status];
  return status === 'pending' ? symbol + words : [STYLE_BY_STATUS[status](symbol), words];
}

function footLines({ counts, session }: Plan): readonly Text[] {
  const { done, total } = progressOf(counts);
  const used = STATUSES.filter((status) => counts[status] > 0);
  const legend = used.map((status) => `${SYMBOL_BY_STATUS[status]} ${LABEL_BY_STATUS[status]} ${counts[status]}`);
  const archived = session.state === 'archived' ? ', archived' : '';
  return [
    ...(total === 0 ? [] : [`${done} of ${total} done  ${legend.join('  ')}`]),
    style.dim(`Session ${session.sid} in ${session.dir_path}${archived}`),
  ];
}

function indented(text: string, indent: string): string {
  return text.includes('\n') ? text.replaceAll('\n', `\n${indent}`) : text;
}
