import { type Page, style, type Text } from '@holdfast/cli';
import { changeLines } from '../model/brief.ts';
import { describeEvent, type Event } from '../model/event.ts';
import {
  afterLabel,
  claimLabel,
  type Goal,
  isFinished,
  statusLabel,
  progressOf,
  type Status,
  STATUSES,
  SYMBOL_BY_STATUS,
  type Task,
  type TaskNote,
} from '../model/plan.ts';
import type { ChangeAnswer, ShownPlan } from '../service/plan.ts';

const styleByStatus = {
  in_progress: style.yellow,
  completed: style.green,
  failed: style.red,
  cancelled: style.dim,
} as const satisfies Record<Exclude<Status, 'pending'>, (text: Text) => Text>;

/** Prints what changed, or the whole plan if requested. */
export function printChange(answer: ChangeAnswer, page: Page): void {
  if (answer.plan === undefined) page.lines(changeLines(answer));
  else printPlan(answer.plan, page);
}

export function printPlan(plan: ShownPlan, page: Page): void {
  page.lines([...goalLines(plan.goal), '']);
  printTasks(plan.tasks, page, plan.notes);
  page.lines(['', ...footLines(plan)]);
  if (plan.recent_events === undefined) return;
  page.lines(['', style.bold('Last changes'), ...plan.recent_events.flatMap((event) => eventLines(event))]);
}

export function goalLines(goal: Goal | null): readonly Text[] {
  if (goal === null) return [style.dim("No goal set yet. Use 'np g s' to set it.")];
  const title = [style.bold('Goal: '), style.bold(indented(goal.title, '      '))];
  return goal.description === '' ? [title] : [title, `  ${indented(goal.description, '  ')}`];
}

export function printTasks(tasks: readonly Task[], page: Page, notes: readonly TaskNote[] = []): void {
  if (tasks.length === 0) page.line(style.dim("No tasks. Use 'np t a' to add some."));
  const notesById = new Map<string, string>();
  for (const { task_id: id, text } of notes) {
    notesById.set(id, `${notesById.get(id) ?? ''}\n    note: ${indented(text, '    ')}`);
  }
  page.list(tasks, (task) => taskText(task, notesById.get(task.id) ?? ''));
}

/** Uses as few styled pieces as possible, because rendering them takes most of the time needed for a long list. */
function taskText(task: Task, notes: string): Text {
  const { id, title, description, status, reason } = task;
  const claim = claimLabel(task);
  const claimed = claim === '' ? '' : `  (${claim})`;
  const order = task.after === undefined ? '' : `  (${afterLabel(task)})`;
  const why = reason === undefined ? '' : `\n    because ${indented(reason, '    ')}`;
  const described = description === '' ? notes : `\n    ${indented(description, '    ')}${notes}`;
  const details = isFinished(status) ? '' : described;
  const words = ` ${id}  ${indented(title, '          ')}${claimed}${order}${why}${details}`;
  const symbol = SYMBOL_BY_STATUS[status];
  return status === 'pending' ? symbol + words : [styleByStatus[status](symbol), words];
}

function footLines({ counts, session }: ShownPlan): readonly Text[] {
  const { done, total } = progressOf(counts);
  const used = STATUSES.filter((status) => counts[status] > 0);
  const legend = used.map((status) => `${SYMBOL_BY_STATUS[status]} ${statusLabel(status)} ${counts[status]}`);
  const archived = session.state === 'archived' ? ', archived' : '';
  return [
    ...(total === 0 ? [] : [`${done} of ${total} done  ${legend.join('  ')}`]),
    style.dim(`Session ${session.sid} in ${session.dir_path}${archived}`),
  ];
}

function indented(text: string, indent: string): string {
  return text.includes('\n') ? text.replaceAll('\n', `\n${indent}`) : text;
}

/** Returns an event on one line and its reason on the next. */
export function eventLines(event: Event, sid?: string): readonly Text[] {
  const session = sid === undefined ? '' : style.dim(`${sid} `);
  const head: Text = [
    session,
    style.dim(`${String(event.seq).padStart(4)} ${event.at} `),
    oneLine(describeEvent(event)),
    event.actor === undefined || event.type === 'task_claimed' ? '' : style.dim(`  (${oneLine(event.actor)})`),
  ];
  return event.reason === null ? [head] : [head, style.dim(`       because ${oneLine(event.reason)}`)];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/gu, ' ');
}
