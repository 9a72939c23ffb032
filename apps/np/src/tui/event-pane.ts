import { describeEvent } from '../model/describe-event.ts';
import type { Event } from '../model/event.ts';
import { clock } from './clock.ts';
import { type Line, span } from './span.ts';
import type { MonitorState } from './state.ts';

const HEADED_ROWS = 4;

/** The newest events, the last one at the bottom. */
export function eventPane({ events, eventsBack, focus }: MonitorState, rows: number): readonly Line[] {
  const behind = eventsBack === 0 ? '' : ` (${eventsBack} newer)`;
  const head = rows < HEADED_ROWS ? [] : [[span('Log', focus === 'events' ? 'inverse' : 'bold'), span(behind, 'dim')]];
  const room = rows - head.length;
  const end = events.length - eventsBack;
  return [...head, ...events.slice(Math.max(end - room, 0), end).map(eventLine)];
}

function eventLine(event: Event): Line {
  const reason = event.reason === null ? [] : [span(` — ${event.reason}`, 'dim')];
  return [span(`${clock(event.at)} `, 'dim'), span(describeEvent(event)), ...reason];
}
