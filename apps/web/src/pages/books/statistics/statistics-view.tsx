import { useQuery } from '@tanstack/react-query';
import { Headphones, Sparkles } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import { statsQuery, timeZone } from '../../../api/audiobooks-queries.ts';
import type { ListeningStats } from '../../../api/types.ts';
import { useFilters } from '../../../lib/filters.ts';
import { count, dayText } from '../../../lib/format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/field.tsx';
import { Card, EmptyState, Loaded, Page, ScrollRegion } from '../../../ui/page.tsx';
import { Plot } from '../../../ui/plot.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { BooksLink, type BooksTarget } from '../book-list.tsx';
import { lengthText } from '../book-text.ts';
import { calendarCells, type CalendarDay, daysBefore, everyDay, levelOf, streaks, timeOf, today } from './calendar.ts';
import { YearView } from './year-view.tsx';

export function View({ id }: { readonly id: string | undefined }): ReactNode {
  return id !== undefined && /^\d{4}$/.test(id) ? <YearView year={Number(id)} /> : <Statistics />;
}

const periods = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '', label: '1 year' },
] as const;

const YEAR_DAYS = 365;

function Statistics(): ReactNode {
  const [{ days = '' }, change] = useFilters();
  const length = Number(periods.find(({ value }) => value === days)?.value ?? '') || YEAR_DAYS;
  const to = today(Date.now());
  const from = daysBefore(to, length - 1);
  const stats = useQuery(statsQuery(from, to));
  const year = to.slice(0, 4);
  return (
    <Page
      title="Statistics"
      description={`Time that you listened, without pauses and jumps. Time zone: ${timeZone.replaceAll('_', ' ')}.`}
      actions={
        <BooksLink view="statistics" id={year} className={buttonClass()}>
          <Sparkles className="size-4" aria-hidden />
          Your {year}
        </BooksLink>
      }
    >
      <Segments
        label="Period"
        value={periods.find(({ value }) => value === days)?.value ?? ''}
        options={periods}
        onChange={(value) => change({ days: value })}
      />
      <Loaded query={stats}>
        {(found) =>
          found.listen_seconds > 0 ? (
            <Metrics stats={found} from={from} to={to} />
          ) : (
            <Card isFlush>
              <EmptyState icon={Headphones} title="No listening history yet">
                <p>Play a book to see your statistics here.</p>
                <BooksLink view="library" className={buttonClass()}>
                  Browse library
                </BooksLink>
              </EmptyState>
            </Card>
          )
        }
      </Loaded>
    </Page>
  );
}

interface MetricsProps {
  readonly stats: ListeningStats;
  readonly from: string;
  readonly to: string;
}

const minutes = (value: number): string => lengthText(value * 60_000);
const dayOf = (seconds: number): string => dayText(seconds * 1_000, true);

const columns: readonly Column<CalendarDay>[] = [
  { title: 'Day', cell: ({ date }) => dayText(timeOf(date)), sortBy: ({ date }) => date },
  {
    title: 'Listened',
    align: 'right',
    cell: ({ seconds }) => lengthText(seconds * 1_000),
    sortBy: ({ seconds }) => seconds,
  },
];

function Metrics({ stats, from, to }: MetricsProps): ReactNode {
  const days = useMemo(() => everyDay(stats.days, from, to), [stats.days, from, to]);
  const listened = days.filter(({ seconds }) => seconds > 0);
  const { longest, current } = streaks(days);
  const times = useMemo(() => days.map(({ date }) => timeOf(date) / 1_000), [days]);
  const values = useMemo(() => days.map(({ seconds }) => seconds / 60), [days]);
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Fact name="Listened" value={lengthText(stats.listen_seconds * 1_000)} />
        <Fact name="Books finished" value={count(stats.finished)} />
        <Fact
          name="Average per listening day"
          value={lengthText((stats.listen_seconds / Math.max(1, listened.length)) * 1_000)}
        />
        <Fact name="Current streak" value={count(current, 'day')} more={`Longest streak: ${count(longest, 'day')}`} />
      </dl>
      <Card title="By day">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Plot title="Listening time (latest day)" times={times} values={values} format={minutes} formatTime={dayOf} />
          {days.length > 100 && <Heatmap days={days} />}
          <details>
            <summary className="text-[13px] font-medium text-accent-strong">Show as table</summary>
            <div className="mt-3 max-h-96 overflow-y-auto">
              <Table
                label="Listening by day"
                rows={listened.toReversed()}
                columns={columns}
                keyOf={({ date }) => date}
              />
            </div>
          </details>
        </div>
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 md:grid-cols-[repeat(3,minmax(0,1fr))]">
        <TopList
          title="Books"
          entries={stats.books.map(({ book, seconds }) => ({
            name: book?.title ?? 'Deleted book',
            seconds,
            target: book === null ? undefined : { view: book.id },
          }))}
        />
        <TopList
          title="Authors"
          entries={stats.authors.map(({ id, ...rest }) => ({ ...rest, target: { view: 'authors', id } }))}
        />
        <TopList
          title="Narrators"
          entries={stats.narrators.map(({ name, seconds }) => ({
            name,
            seconds,
            target: { view: 'library', search: { narrator: name } },
          }))}
        />
      </div>
    </>
  );
}

interface FactProps {
  readonly name: string;
  readonly value: string;
  readonly more?: string;
}

function Fact({ name, value, more }: FactProps): ReactNode {
  return (
    <div className="min-w-0 rounded-xl border border-line bg-surface p-4">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="mt-1 text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
      {more !== undefined && <dd className="text-[13px] text-muted">{more}</dd>}
    </div>
  );
}

interface TopListProps {
  readonly title: string;
  readonly entries: readonly {
    readonly name: string;
    readonly seconds: number;
    /** Undefined for books that no longer exist. */
    readonly target: BooksTarget | undefined;
  }[];
}

const TOP = 8;

function TopList({ title, entries }: TopListProps): ReactNode {
  const most = entries[0]?.seconds ?? 0;
  return (
    <Card title={title}>
      {entries.length === 0 && <p className="text-muted">No data yet</p>}
      <ol className="grid gap-3">
        {entries.slice(0, TOP).map(({ name, seconds, target }, at) => (
          <li key={at} className="grid gap-1">
            <span className="flex items-baseline gap-3">
              <bdi className="min-w-0 flex-1 truncate">
                {target === undefined ? (
                  <span className="text-muted">{name}</span>
                ) : (
                  <BooksLink {...target} className="font-medium hover:underline">
                    {name}
                  </BooksLink>
                )}
              </bdi>
              <span className="shrink-0 text-[13px] text-muted tabular-nums">{lengthText(seconds * 1_000)}</span>
            </span>
            <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
              <span
                className="block h-full rounded-full bg-accent"
                style={{ width: `${most === 0 ? 0 : Math.max(2, (seconds / most) * 100)}%` }}
              />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const STEP = 13;
const SIZE = 10;
const LEFT_EDGE = 28;
const TOP_EDGE = 16;

const levels = [
  { fill: 'var(--line)', opacity: 1 },
  { fill: 'var(--accent)', opacity: 0.3 },
  { fill: 'var(--accent)', opacity: 0.5 },
  { fill: 'var(--accent)', opacity: 0.75 },
  { fill: 'var(--accent)', opacity: 1 },
] as const;

const weekdays = ['Mon', '', 'Wed', '', 'Fri', '', ''] as const;
const months = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });

/** A calendar with one square per day; a darker square means more listening. The table below has the same data. */
function Heatmap({ days }: { readonly days: readonly CalendarDay[] }): ReactNode {
  const cells = calendarCells(days);
  const most = Math.max(0, ...days.map(({ seconds }) => seconds));
  const weeks = (cells.at(-1)?.week ?? 0) + 1;
  const width = LEFT_EDGE + weeks * STEP;
  const height = TOP_EDGE + 7 * STEP;
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
            <text key={at} x={0} y={TOP_EDGE + at * STEP + SIZE - 1}>
              {name}
            </text>
          ))}
          {cells
            .filter(({ date }) => date.endsWith('-01'))
            .map(({ date, week }) => (
              <text key={date} x={LEFT_EDGE + week * STEP} y={10}>
                {months.format(timeOf(date))}
              </text>
            ))}
        </g>
        {cells.map(({ date, seconds, week, weekday }) => (
          <rect
            key={date}
            x={LEFT_EDGE + week * STEP}
            y={TOP_EDGE + weekday * STEP}
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
