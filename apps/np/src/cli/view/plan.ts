import { style, type Text } from '@holdfast/cli';
import { type Plan, progressOf } from '../../model/plan.ts';
import type { Task } from '../../model/session.ts';
import { LABEL_BY_STATUS, type Status, STATUSES, SYMBOL_BY_STATUS } from '../../model/status.ts';

/** A plan as lines for people and agents: the goal, every task with its symbol and id, and how far it has come. */

const STYLE_BY_STATUS = {
  pending: (text: Text) => text,
  in_progress: style.yellow,
  completed: style.green,
  failed: style.red,
  cancelled: style.dim,
} as const satisfies Record<Status, (text: Text) => Text>;

export function planLines(plan: Plan): readonly Text[] {
  return [...goalLines(plan.goal), '', ...taskLines(plan.tasks), '', ...footLines(plan)];
}

export function goalLines(goal: Plan['goal']): readonly Text[] {
  if (goal === undefined) return [style.dim("No goal set yet. Use 'np g s' to set it.")];
  const title = [style.bold('Goal: '), style.bold(indented(goal.title, '      '))];
  return goal.description === '' ? [title] : [title, `  ${indented(goal.description, '  ')}`];
}

export function taskLines(tasks: readonly Task[]): readonly Text[] {
  if (tasks.length === 0) return [style.dim("No tasks. Use 'np t a' to add some.")];
  return tasks.flatMap(oneTask);
}

function oneTask({ id, title, description, status, actor }: Task): readonly Text[] {
  const paint = STYLE_BY_STATUS[status];
  const claimed = actor === undefined ? '' : style.dim(`  (claimed by ${actor})`);
  const line: Text = [
    paint(SYMBOL_BY_STATUS[status]),
    ' ',
    style.dim(id),
    '  ',
    indented(title, '          '),
    claimed,
  ];
  return description === '' ? [line] : [line, style.dim(`    ${indented(description, '    ')}`)];
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
