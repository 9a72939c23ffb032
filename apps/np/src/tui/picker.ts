import { progressOf, type SessionSummary } from '../model/plan.ts';
import { type Line, span } from './span.ts';
import type { Picker } from './state.ts';

/** Number of sessions that fit on a screen. */
export function pickerRows(rows: number): number {
  return Math.max(rows - 3, 1);
}

export function pickerLines({ items, index, pages, next }: Picker, columns: number, rows: number): readonly Line[] {
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
