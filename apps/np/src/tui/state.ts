import type { Event } from '../model/event.ts';
import { type Plan, type SessionSummary, type Status, STATUSES, statusLabel, type Task } from '../model/plan.ts';

/** Everything that the screen shows. Immutable. */
export interface MonitorState {
  readonly plan: Plan | undefined;
  readonly events: readonly Event[];
  readonly view: 'plan' | 'picker' | 'help';
  readonly focus: 'tasks' | 'events';
  /** Id of the task under the cursor; if undefined, the cursor follows the task in progress. */
  readonly selected: string | undefined;
  readonly isExpanded: boolean;
  readonly filter: Status | undefined;
  readonly search: string;
  readonly isSearching: boolean;
  /** Number of events by which the log is scrolled back from the newest. */
  readonly eventsBack: number;
  readonly picker: Picker;
  /** A problem to show, for example that the database cannot be read. */
  readonly notice: string | undefined;
}

/** The sessions as fetched when the picker was opened. */
export interface Picker {
  readonly items: readonly SessionSummary[];
  readonly index: number;
  /** Cursors of the pages up to this one. */
  readonly pages: readonly (string | undefined)[];
  readonly next: string | undefined;
}

const EMPTY_PICKER: Picker = { items: [], index: 0, pages: [undefined], next: undefined };

export const INITIAL_STATE: MonitorState = {
  plan: undefined,
  events: [],
  view: 'plan',
  focus: 'tasks',
  selected: undefined,
  isExpanded: false,
  filter: undefined,
  search: '',
  isSearching: false,
  eventsBack: 0,
  picker: EMPTY_PICKER,
  notice: undefined,
};

/** Replaces plan and events. A log that is scrolled back keeps its position while events are added. */
export function withPlan(state: MonitorState, plan: Plan | undefined, events: readonly Event[]): MonitorState {
  const isSame = plan?.session.sid === state.plan?.session.sid;
  if (!isSame) return { ...state, plan, events, selected: undefined, eventsBack: 0 };
  const added = (events.at(-1)?.seq ?? 0) - (state.events.at(-1)?.seq ?? 0);
  const back = state.eventsBack === 0 ? 0 : state.eventsBack + added;
  return { ...state, plan, events, eventsBack: Math.min(Math.max(back, 0), Math.max(events.length - 1, 0)) };
}

/** Returns the tasks that pass the filter and the search. */
export function visibleTasks({ plan, filter, search }: MonitorState): readonly Task[] {
  const wanted = search.toLowerCase();
  return (plan?.tasks ?? []).filter(
    ({ id, title, description, status }) =>
      (filter === undefined || status === filter) &&
      (wanted === '' || `${id} ${title} ${description}`.toLowerCase().includes(wanted)),
  );
}

/** Returns the index of the selected task, otherwise of the task in progress, otherwise of the first pending task. */
export function selectedIndex(state: MonitorState, tasks: readonly Task[]): number {
  const chosen = tasks.findIndex(({ id }) => id === state.selected);
  if (chosen >= 0) return chosen;
  const active = tasks.findIndex(({ status }) => status === 'in_progress');
  if (active >= 0) return active;
  return Math.max(
    tasks.findIndex(({ status }) => status === 'pending'),
    0,
  );
}

export function describeFilter({ filter, search }: MonitorState): string {
  return [...(filter === undefined ? [] : [statusLabel(filter)]), ...(search === '' ? [] : [`“${search}”`])].join(', ');
}

/** Key names by the escape sequences that terminals send. A printable character is its own name. */
const NAME_BY_SEQUENCE: Readonly<Record<string, string>> = {
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001bOA': 'up',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001b[F': 'end',
  '\u001bOH': 'home',
  '\u001bOF': 'end',
  '\u001b[1~': 'home',
  '\u001b[4~': 'end',
  '\u001b': 'escape',
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
  '\f': 'redraw',
};

// oxlint-disable-next-line no-control-regex -- the pattern matches escape sequences
const KEY = /\u001b(?:\[[0-9;?]*[A-Za-z~]|O[A-Z])|[^]/gu;

/** Returns the names of the keys in a chunk of input; skips unknown sequences. */
export function keysIn(input: string): readonly string[] {
  return Array.from(input.matchAll(KEY), ([sequence]) => {
    const name = NAME_BY_SEQUENCE[sequence];
    if (name !== undefined) return name;
    return sequence.startsWith('\u001b') || sequence < ' ' ? '' : sequence;
  }).filter((name) => name !== '');
}

/** Effects of a key in addition to the new state. */
export type Effect =
  | { readonly type: 'quit' | 'suspend' | 'refresh' | 'directory' | 'redraw' }
  | { readonly type: 'open'; readonly sid: string }
  | { readonly type: 'page'; readonly pages: readonly (string | undefined)[] };

export interface Pressed {
  readonly state: MonitorState;
  readonly effect?: Effect;
}

const PAGE_STEP = 10;

export function press(state: MonitorState, key: string): Pressed {
  if (key === 'interrupt') return { state, effect: { type: 'quit' } };
  if (key === 'suspend') return { state, effect: { type: 'suspend' } };
  if (key === 'redraw') return { state, effect: { type: 'redraw' } };
  if (state.isSearching) return { state: typeInto(state, key) };
  if (state.view === 'help') return { state: { ...state, view: 'plan' } };
  return state.view === 'picker' ? pressInPicker(state, key) : pressInPlan(state, key);
}

function typeInto(state: MonitorState, key: string): MonitorState {
  if (key === 'enter') return { ...state, isSearching: false };
  if (key === 'escape') return { ...state, isSearching: false, search: '' };
  if (key === 'backspace') return { ...state, search: Array.from(state.search).slice(0, -1).join('') };
  return Array.from(key).length === 1 ? { ...state, search: state.search + key } : state;
}

function pressInPlan(state: MonitorState, key: string): Pressed {
  const step = stepOf(key);
  if (step !== undefined) return { state: moved(state, step) };
  switch (key) {
    case 'q':
      return { state, effect: { type: 'quit' } };
    case '?':
    case 'h':
      return { state: { ...state, view: 'help' } };
    case '/':
      return { state: { ...state, isSearching: true } };
    case 'f':
      return { state: { ...state, filter: nextFilter(state.filter), selected: undefined } };
    case 'escape':
      return { state: { ...state, filter: undefined, search: '', selected: undefined, eventsBack: 0 } };
    case 'tab':
      return { state: { ...state, focus: state.focus === 'tasks' ? 'events' : 'tasks' } };
    case 'enter':
      return { state: { ...state, isExpanded: !state.isExpanded } };
    case 's':
      return { state: { ...state, view: 'picker' }, effect: { type: 'page', pages: [undefined] } };
    case 'd':
      return { state, effect: { type: 'directory' } };
    case 'r':
      return { state, effect: { type: 'refresh' } };
    default:
      return { state };
  }
}

function pressInPicker(state: MonitorState, key: string): Pressed {
  const { picker } = state;
  const step = stepOf(key);
  if (step !== undefined && key !== 'page-down' && key !== 'page-up') {
    const index = Math.min(Math.max(picker.index + step, 0), Math.max(picker.items.length - 1, 0));
    return { state: { ...state, picker: { ...picker, index } } };
  }
  const chosen = picker.items[picker.index];
  if (key === 'enter' && chosen !== undefined) {
    const next: MonitorState = { ...state, view: 'plan', selected: undefined, eventsBack: 0 };
    return { state: next, effect: { type: 'open', sid: chosen.session.sid } };
  }
  if ((key === 'n' || key === 'page-down' || key === ' ') && picker.next !== undefined) {
    return { state, effect: { type: 'page', pages: [...picker.pages, picker.next] } };
  }
  if ((key === 'p' || key === 'page-up') && picker.pages.length > 1) {
    return { state, effect: { type: 'page', pages: picker.pages.slice(0, -1) } };
  }
  if (key === 'r') return { state, effect: { type: 'page', pages: picker.pages } };
  if (key === 'q') return { state, effect: { type: 'quit' } };
  return key === 'escape' || key === 's' ? { state: { ...state, view: 'plan' } } : { state };
}

function stepOf(key: string): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    'page-up': -PAGE_STEP,
    'page-down': PAGE_STEP,
    home: Number.NEGATIVE_INFINITY,
    g: Number.NEGATIVE_INFINITY,
    end: Number.POSITIVE_INFINITY,
    G: Number.POSITIVE_INFINITY,
  };
  return steps[key];
}

function moved(state: MonitorState, step: number): MonitorState {
  if (state.focus === 'events') {
    const last = Math.max(state.events.length - 1, 0);
    return { ...state, eventsBack: Math.min(Math.max(state.eventsBack - step, 0), last) };
  }
  const tasks = visibleTasks(state);
  const index = Math.min(Math.max(selectedIndex(state, tasks) + step, 0), Math.max(tasks.length - 1, 0));
  return { ...state, selected: tasks[index]?.id };
}

function nextFilter(filter: MonitorState['filter']): MonitorState['filter'] {
  return filter === undefined ? STATUSES[0] : STATUSES[STATUSES.indexOf(filter) + 1];
}
