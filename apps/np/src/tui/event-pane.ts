import { describeEvent } from '../model/describe-event.ts';
import type { Event } from '../model/event.ts';
import { clock } from './clock.ts';
import { fitted, type Line, lineWidth, span } from './span.ts';
import type { MonitorState } from './state.ts';

const HEADED_ROWS = 4;

/** Shows the newest events at the bottom. */
export function eventPane(state: MonitorState, columns: number, rows: number): readonly Line[] {
  const { events, eventsBack, focus } = state;
  const behind = eventsBack === 0 ? '' : ` (${eventsBack} newer)`;
  const head = rows < HEADED_ROWS ? [] : [[span('Log', focus === 'events' ? 'inverse' : 'bold'), span(behind, 'dim')]];
  const room = rows - head.length;
  const end = events.length - eventsBack;
  return [...head, ...events.slice(Math.max(end - room, 0), end).map((event) => eventLine(event, columns))];
}

/** Shares the line between title and reason: a long title must not hide the reason. */
function eventLine(event: Event, columns: number): Line {
  const time = span(`${clock(event.at)} `, 'dim');
  const words = [span(describeEvent(event))];
  if (event.reason === null) return [time, ...words];
  const reason = span(` — ${event.reason}`, 'dim');
  const room = columns - lineWidth([time]);
  const share = Math.max(room - lineWidth([reason]), Math.floor(room / 2));
  return [time, ...(lineWidth(words) > share ? fitted(words, share) : words), reason];
}
