import { STATUSES } from '../model/status.ts';
import { type MonitorState, selectedIndex, visibleTasks } from './state.ts';

/** Effects of a key beyond a new state. */
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
