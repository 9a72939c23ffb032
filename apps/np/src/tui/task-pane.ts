import type { Event } from '../model/event.ts';
import type { Task } from '../model/session.ts';
import { LABEL_BY_STATUS, type Status, SYMBOL_BY_STATUS } from '../model/status.ts';
import { type Line, lineWidth, span, type Style, wrapped } from './span.ts';
import { describeFilter, type MonitorState, selectedIndex, visibleTasks } from './state.ts';

export const STYLE_BY_STATUS: Readonly<Record<Status, Style>> = {
  pending: 'plain',
  in_progress: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
};

const HEADED_ROWS = 6;

/** Returns the tasks around the cursor, as many as fit. */
export function taskPane(state: MonitorState, columns: number, rows: number): readonly Line[] {
  if (rows <= 0) return [];
  const tasks = visibleTasks(state);
  const head = rows < HEADED_ROWS ? [] : [headLine(state, tasks)];
  const room = rows - head.length;
  if (tasks.length === 0) return padded([...head, [span(emptyText(state), 'dim')]], rows);
  const index = selectedIndex(state, tasks);
  const details = state.isExpanded ? detailsIn(state, tasks[index] as Task, columns, Math.max(room - 1, 0)) : [];
  const listed = Math.max(room - details.length, 1);
  const first = Math.min(Math.max(index - Math.floor(listed / 2), 0), Math.max(tasks.length - listed, 0));
  const lines = tasks.slice(first, first + listed).flatMap((task, offset): Line[] => {
    const isSelected = first + offset === index;
    return isSelected ? [taskLine(task, state.focus === 'tasks'), ...details] : [taskLine(task, false)];
  });
  return padded([...head, ...lines], rows);
}

function headLine(state: MonitorState, tasks: readonly Task[]): Line {
  const filter = describeFilter(state);
  const count = filter === '' ? `${tasks.length}` : `${tasks.length} of ${state.plan?.tasks.length ?? 0}: ${filter}`;
  return [span('Tasks', 'bold'), span(` (${count})`, 'dim')];
}

function taskLine({ id, title, status, actor }: Task, isSelected: boolean): Line {
  const style = isSelected ? 'inverse' : STYLE_BY_STATUS[status];
  const claimed = actor === undefined ? [] : [span(` (${actor})`, isSelected ? 'inverse' : 'dim')];
  const words = status === 'cancelled' ? 'dim' : 'plain';
  return [
    span(`${SYMBOL_BY_STATUS[status]} `, style),
    span(`${id}  `, isSelected ? 'inverse' : 'dim'),
    span(title, isSelected ? 'inverse' : words),
    ...claimed,
  ];
}

const INDENT = '    ';

/** As many details as fit; the last row shows that there are more. */
function detailsIn(state: MonitorState, task: Task, columns: number, rows: number): readonly Line[] {
  const lines = detailLines(state, task, columns);
  return lines.length <= rows
    ? lines
    : [...lines.slice(0, Math.max(rows - 1, 0)), [span(`${INDENT}…`, 'dim')]].slice(0, rows);
}

/** Returns the full texts of a task and the reason of its status. */
function detailLines({ events }: MonitorState, task: Task, columns: number): readonly Line[] {
  const { id, title, description, status, version, updated_at: at } = task;
  const indented = (text: string, style: Style): Line[] =>
    wrapped(text, columns - INDENT.length).map((line) => [span(INDENT + line, style)]);
  const isCut = lineWidth(taskLine(task, false)) > columns || title.includes('\n');
  const reason = events.findLast((event) => event.reason !== null && isAbout(event, id))?.reason ?? '';
  return [
    ...(isCut ? indented(title, 'bold') : []),
    ...(reason === '' ? [] : indented(`because ${reason}`, 'yellow')),
    ...(description === '' ? [] : indented(description, 'plain')),
    [span(`${INDENT}${LABEL_BY_STATUS[status]}, version ${version}, changed ${at}`, 'dim')],
  ];
}

function isAbout({ payload }: Event, id: string): boolean {
  return 'task_id' in payload ? payload.task_id === id : 'task' in payload && payload.task.id === id;
}

function emptyText(state: MonitorState): string {
  if (state.plan === undefined) return 'Waiting for a session. Press s to choose one.';
  return state.plan.tasks.length === 0 ? 'No tasks yet.' : 'No task matches. Press Esc to see all.';
}

function padded(lines: readonly Line[], rows: number): readonly Line[] {
  return lines.length >= rows
    ? lines.slice(0, rows)
    : [...lines, ...Array.from({ length: rows - lines.length }, (): Line => [])];
}
