import type { Event } from '../model/event.ts';
import type { Plan, SessionSummary } from '../model/plan.ts';
import type { Task } from '../model/session.ts';
import { LABEL_BY_STATUS, type Status } from '../model/status.ts';

/** Everything that the screen shows. Immutable. */
export interface MonitorState {
  readonly plan: Plan | undefined;
  readonly events: readonly Event[];
  readonly view: 'plan' | 'picker' | 'help';
  readonly focus: 'tasks' | 'events';
  /** The task under the cursor; undefined follows the task in progress. */
  readonly selected: string | undefined;
  readonly isExpanded: boolean;
  readonly filter: Status | undefined;
  readonly search: string;
  readonly isSearching: boolean;
  /** How many events the log is scrolled back from the newest. */
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

/** Returns the selected task, else the one in progress, else the first pending one. */
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
  return [...(filter === undefined ? [] : [LABEL_BY_STATUS[filter]]), ...(search === '' ? [] : [`“${search}”`])].join(
    ', ',
  );
}
