import { describeEvent, type Event } from '../model/event.ts';
import {
  statusLabel,
  progressOf,
  type SessionSummary,
  type Status,
  STATUSES,
  SYMBOL_BY_STATUS,
  type Task,
} from '../model/plan.ts';
import { fitted, type Line, lineWidth, span, type Style, wrapped } from './screen.ts';
import { describeFilter, type MonitorState, type Picker, selectedIndex, visibleTasks } from './state.ts';

/**
 * Returns the whole screen as lines, each exactly as wide as the screen. A pure function of state and size, so that
 * tests need no terminal.
 */
export function frame(state: MonitorState, columns: number, rows: number): readonly Line[] {
  const body = Math.max(rows - 2, 0);
  const content = bodyLines(state, columns, body).slice(0, body);
  const filler: Line[] = Array.from({ length: body - content.length }, () => []);
  const lines = [headLine(state, columns), ...content, ...filler, footLine(state)];
  return lines.slice(0, rows).map((line) => fitted(line, columns));
}

const SIDE_BY_SIDE_COLUMNS = 110;
const SEPARATOR = ' │ ';
/** With fewer rows, the details of a task replace the log. */
const ROOMY_ROWS = 14;

function bodyLines(state: MonitorState, columns: number, rows: number): readonly Line[] {
  if (state.view === 'help') return helpLines(rows);
  if (state.view === 'picker') return pickerLines(state.picker, columns, rows);
  const top = goalLines(state, columns, rows);
  const left = Math.max(rows - top.length, 0);
  if (columns >= SIDE_BY_SIDE_COLUMNS) return [...top, ...sideBySide(state, columns, left)];
  const eventRows = left < 5 || (state.isExpanded && left < ROOMY_ROWS) ? 0 : Math.max(2, Math.floor(left * 0.35));
  const events = eventRows === 0 ? [] : eventPane(state, columns, eventRows);
  return [...top, ...taskPane(state, columns, left - eventRows), ...events];
}

function sideBySide(state: MonitorState, columns: number, rows: number): readonly Line[] {
  const eventColumns = Math.floor((columns - SEPARATOR.length) * 0.42);
  const taskColumns = columns - SEPARATOR.length - eventColumns;
  const tasks = taskPane(state, taskColumns, rows);
  const events = eventPane(state, eventColumns, rows);
  return Array.from({ length: rows }, (_, index) => [
    ...fitted(tasks[index] ?? [], taskColumns),
    span(SEPARATOR, 'dim'),
    ...fitted(events[index] ?? [], eventColumns),
  ]);
}

function headLine({ plan }: MonitorState, columns: number): Line {
  if (plan === undefined) return [span(' np ', 'inverse')];
  const { session, goal } = plan;
  const right = [span(session.state === 'archived' ? ' ARCHIVED ' : ` ${session.sid.slice(-6)} `, 'inverse')];
  const title = [span(` ${goal?.title ?? 'No goal set yet'} `, 'inverse')];
  const room = columns - lineWidth(right);
  return room < 10 ? title : [...fitted(title, room), ...right];
}

const BAR_COLUMNS_MAX = 30;

function goalLines({ plan }: MonitorState, columns: number, rows: number): readonly Line[] {
  if (plan === undefined) return [];
  const { done, total } = progressOf(plan.counts);
  const barColumns = Math.min(BAR_COLUMNS_MAX, Math.max(Math.floor(columns / 4), 4));
  const filled = total === 0 ? 0 : Math.round((done / total) * barColumns);
  const used = STATUSES.filter((status) => plan.counts[status] > 0);
  const progress: Line = [
    span('█'.repeat(filled), 'green'),
    span('░'.repeat(barColumns - filled), 'dim'),
    span(` ${done}/${total} done  `),
    ...used.map((status) => span(`${SYMBOL_BY_STATUS[status]} ${plan.counts[status]}  `, STYLE_BY_STATUS[status])),
  ];
  if (rows < ROOMY_ROWS) return [progress];
  const { session, goal } = plan;
  const about = goal === null || goal.description === '' ? [] : wrapped(goal.description, columns);
  const shown = Math.floor(rows / 10);
  const cut = about.length > shown ? [...about.slice(0, shown - 1), `${about[shown - 1]} …`] : about;
  return [
    ...cut.map((line) => [span(line)]),
    [span(`${session.dir_path}  changed ${clock(session.last_updated_at)}`, 'dim')],
    progress,
    [],
  ];
}

function footLine(state: MonitorState): Line {
  if (state.isSearching) return [span(`/${state.search}`), span(' ', 'inverse')];
  if (state.notice !== undefined) return [span(state.notice, 'red')];
  const keys =
    state.view === 'picker'
      ? 'Enter open · Esc back · q quit · n next page · p previous · r refresh'
      : state.view === 'help'
        ? 'any key: back'
        : 'q quit · ? help · s sessions · f filter · / search';
  return [span(keys, 'dim')];
}

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓ j k', 'move; also PgUp, PgDn, Home and End'],
  ['Enter', 'show or hide the details'],
  ['Tab', 'switch between tasks and log'],
  ['f', 'cycle the status filter'],
  ['/', 'search in ids and texts'],
  ['Esc', 'clear filter and search'],
  ['s', 'choose another session'],
  ['d', 'session of this directory'],
  ['r', 'refresh'],
  ['q', 'quit'],
];

/** Returns help that fits a narrow screen. On a screen with few rows, omits the heading. */
function helpLines(rows: number): readonly Line[] {
  const head: readonly Line[] = rows > KEYS.length ? [[span('Keys', 'bold')]] : [];
  return [...head, ...KEYS.map(([key, meaning]): Line => [span(key.padEnd(9), 'cyan'), span(meaning)])];
}

const STYLE_BY_STATUS: Readonly<Record<Status, Style>> = {
  pending: 'plain',
  in_progress: 'yellow',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
};

const TASK_HEADING_ROWS = 6;

/** Returns as many tasks around the cursor as fit. */
function taskPane(state: MonitorState, columns: number, rows: number): readonly Line[] {
  if (rows <= 0) return [];
  const tasks = visibleTasks(state);
  const head = rows < TASK_HEADING_ROWS ? [] : [taskHeading(state, tasks)];
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

function taskHeading(state: MonitorState, tasks: readonly Task[]): Line {
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

/** Returns as many details as fit. If there are more, the last row says so. */
function detailsIn(state: MonitorState, task: Task, columns: number, rows: number): readonly Line[] {
  const lines = detailLines(state, task, columns);
  return lines.length <= rows
    ? lines
    : [...lines.slice(0, Math.max(rows - 1, 0)), [span(`${INDENT}…`, 'dim')]].slice(0, rows);
}

/** Returns a task's full texts and the reason for its status. */
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
    [span(`${INDENT}${statusLabel(status)}, version ${version}, changed ${at}`, 'dim')],
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

const LOG_HEADING_ROWS = 4;

/** Shows the newest events at the bottom. */
function eventPane(state: MonitorState, columns: number, rows: number): readonly Line[] {
  const { events, eventsBack, focus } = state;
  const behind = eventsBack === 0 ? '' : ` (${eventsBack} newer)`;
  const head =
    rows < LOG_HEADING_ROWS ? [] : [[span('Log', focus === 'events' ? 'inverse' : 'bold'), span(behind, 'dim')]];
  const room = rows - head.length;
  const end = events.length - eventsBack;
  return [...head, ...events.slice(Math.max(end - room, 0), end).map((event) => eventLine(event, columns))];
}

/** Divides the line between title and reason, so that a long title does not hide the reason. */
function eventLine(event: Event, columns: number): Line {
  const time = span(`${clock(event.at)} `, 'dim');
  const words = [span(describeEvent(event))];
  if (event.reason === null) return [time, ...words];
  const reason = span(` — ${event.reason}`, 'dim');
  const room = columns - lineWidth([time]);
  const share = Math.max(room - lineWidth([reason]), Math.floor(room / 2));
  return [time, ...(lineWidth(words) > share ? fitted(words, share) : words), reason];
}

/** Returns the number of sessions that fit on a screen. */
export function pickerRows(rows: number): number {
  return Math.max(rows - 3, 1);
}

function pickerLines({ items, index, pages, next }: Picker, columns: number, rows: number): readonly Line[] {
  const place =
    pages.length > 1 || next !== undefined ? ` (page ${pages.length}${next === undefined ? ', the last' : ''})` : '';
  const head: Line = [span('Sessions', 'bold'), span(place, 'dim')];
  if (items.length === 0) return [head, [span("No sessions yet. Start one with 'np s'.", 'dim')]];
  const room = Math.max(rows - 1, 1);
  const first = Math.min(Math.max(index - room + 1, 0), Math.max(items.length - room, 0));
  const shown = items.slice(first, first + room);
  return [head, ...shown.map((item, offset) => itemLine(item, first + offset === index, columns))];
}

const WIDE_COLUMNS = 70;

function itemLine({ session, goal, counts }: SessionSummary, isSelected: boolean, columns: number): Line {
  const { done, total } = progressOf(counts);
  const state = session.state === 'active' ? '●' : '○';
  const words = isSelected ? 'inverse' : session.state === 'active' ? 'plain' : 'dim';
  const changed = columns < WIDE_COLUMNS ? '' : `${session.last_updated_at.slice(0, 16).replace('T', ' ')}  `;
  const name = goal?.title ?? 'no goal';
  return [span(`${state} ${`${done}/${total}`.padStart(5)}  ${changed}${name}  ${session.dir_path}`, words)];
}

/** Returns the local time with seconds. */
function clock(time: string): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
