import { progressOf } from '../model/plan.ts';
import { STATUSES, SYMBOL_BY_STATUS } from '../model/status.ts';
import { clock } from './clock.ts';
import { eventPane } from './event-pane.ts';
import { pickerLines } from './picker.ts';
import { fitted, type Line, lineWidth, span, wrapped } from './span.ts';
import type { MonitorState } from './state.ts';
import { STYLE_BY_STATUS, taskPane } from './task-pane.ts';

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
  const about = goal === undefined || goal.description === '' ? [] : wrapped(goal.description, columns);
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
  ['↑ ↓ j k', 'move; PgUp PgDn Home End too'],
  ['Enter', 'all about the task; again: hide'],
  ['Tab', 'to the log, or to the tasks'],
  ['f', 'one status; again: the next'],
  ['/', 'search in ids and texts'],
  ['Esc', 'everything again'],
  ['s', 'choose another session'],
  ['d', 'the session of this directory'],
  ['r', 'read everything again'],
  ['q', 'quit'],
];

/** Fits a narrow screen; drops the heading on a low one. */
function helpLines(rows: number): readonly Line[] {
  const head: readonly Line[] = rows > KEYS.length ? [[span('Keys', 'bold')]] : [];
  return [...head, ...KEYS.map(([key, meaning]): Line => [span(key.padEnd(9), 'cyan'), span(meaning)])];
}
