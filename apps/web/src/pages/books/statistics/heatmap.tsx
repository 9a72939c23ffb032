import type { ReactNode } from 'react';

import { count, dayText } from '../../../lib/format.ts';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { lengthText } from '../book-text.ts';
import { calendarCells, type CalendarDay, levelOf, timeOf } from './calendar.ts';

const STEP = 13;
const SIZE = 10;
const LEFT = 28;
const TOP = 16;

const levels = [
  { fill: 'var(--line)', opacity: 1 },
  { fill: 'var(--accent)', opacity: 0.3 },
  { fill: 'var(--accent)', opacity: 0.5 },
  { fill: 'var(--accent)', opacity: 0.75 },
  { fill: 'var(--accent)', opacity: 1 },
] as const;

const weekdays = ['Mon', '', 'Wed', '', 'Fri', '', ''] as const;
const months = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });

/** A calendar with one square per day; darker means longer. The table below shows the same data. */
export function Heatmap({ days }: { readonly days: readonly CalendarDay[] }): ReactNode {
  const cells = calendarCells(days);
  const most = Math.max(0, ...days.map(({ seconds }) => seconds));
  const weeks = (cells.at(-1)?.week ?? 0) + 1;
  const width = LEFT + weeks * STEP;
  const height = TOP + 7 * STEP;
  return (
    <ScrollRegion label="Listening calendar" className="overflow-x-auto">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto w-full min-w-[44rem]"
        role="img"
        aria-label={`${count(days.filter(({ seconds }) => seconds > 0).length, 'listening day')}; longest: ${lengthText(most * 1_000)}`}
      >
        <g fill="var(--muted)" fontSize="9" aria-hidden>
          {weekdays.map((name, at) => (
            <text key={at} x={0} y={TOP + at * STEP + SIZE - 1}>
              {name}
            </text>
          ))}
          {cells
            .filter(({ date }) => date.endsWith('-01'))
            .map(({ date, week }) => (
              <text key={date} x={LEFT + week * STEP} y={10}>
                {months.format(timeOf(date))}
              </text>
            ))}
        </g>
        {cells.map(({ date, seconds, week, weekday }) => (
          <rect
            key={date}
            x={LEFT + week * STEP}
            y={TOP + weekday * STEP}
            width={SIZE}
            height={SIZE}
            rx={2}
            {...levels[levelOf(seconds, most)]}
          >
            <title>{`${dayText(timeOf(date))}: ${seconds === 0 ? 'nothing' : lengthText(seconds * 1_000)}`}</title>
          </rect>
        ))}
      </svg>
    </ScrollRegion>
  );
}
