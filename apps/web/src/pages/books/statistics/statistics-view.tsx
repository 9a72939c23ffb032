import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Headphones, Sparkles } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';

import type { ListeningStats } from '../../../api/types.ts';
import { count, dayText } from '../../../lib/format.ts';
import { useFilters } from '../../../lib/filters.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { Plot } from '../../../ui/plot.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import type { ViewProps } from '../view-props.ts';
import { lengthText } from '../book-text.ts';
import { type CalendarDay, daysBefore, everyDay, streaks, timeOf, today } from './calendar.ts';
import { Heatmap } from './heatmap.tsx';
import { statsQuery, timeZone } from './stats-queries.ts';
import { TopList } from './top-list.tsx';
import { YearView } from './year-view.tsx';

/** Listening statistics, or the poster of one year. */
export function View({ id }: ViewProps): ReactNode {
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
      description={`Actual listening time, without pauses and jumps. Time zone: ${timeZone.replaceAll('_', ' ')}.`}
      actions={
        <Link to="/books/$view/$id" params={{ view: 'statistics', id: year }} className={buttonClass()}>
          <Sparkles className="size-4" aria-hidden />
          Your {year}
        </Link>
      }
    >
      <Segments
        label="Period"
        value={periods.find(({ value }) => value === days)?.value ?? ''}
        options={periods}
        onChange={(value) => change({ days: value })}
      />
      <Loaded query={stats}>
        {(found) => (found.listen_seconds === 0 ? <Nothing /> : <Figures stats={found} from={from} to={to} />)}
      </Loaded>
    </Page>
  );
}

function Nothing(): ReactNode {
  return (
    <Card isFlush>
      <EmptyState icon={Headphones} title="No listening history yet">
        <p>Play a book to see your statistics here.</p>
        <Link to="/books/$view" params={{ view: 'library' }} className={buttonClass()}>
          Browse library
        </Link>
      </EmptyState>
    </Card>
  );
}

interface FiguresProps {
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

function Figures({ stats, from, to }: FiguresProps): ReactNode {
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
        <TopList title="Books" entries={stats.books.map(bookEntry)} />
        <TopList
          title="Authors"
          entries={stats.authors.map(({ id, name, seconds }) => ({
            key: id,
            name,
            seconds,
            to: { view: 'authors', id },
          }))}
        />
        <TopList
          title="Narrators"
          entries={stats.narrators.map(({ name, seconds }) => ({
            key: name,
            name,
            seconds,
            to: { view: 'library', search: { narrator: name } },
          }))}
        />
      </div>
    </>
  );
}

function bookEntry({ book, seconds }: ListeningStats['books'][number], at: number) {
  return book === null
    ? { key: `gone ${at}`, name: 'Deleted book', seconds }
    : { key: book.id, name: book.title, seconds, to: { view: book.id } };
}

function Fact({
  name,
  value,
  more,
}: {
  readonly name: string;
  readonly value: string;
  readonly more?: string;
}): ReactNode {
  return (
    <div className="min-w-0 rounded-xl border border-line bg-surface p-4">
      <dt className="text-[13px] text-muted">{name}</dt>
      <dd className="mt-1 text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
      {more !== undefined && <dd className="text-[13px] text-muted">{more}</dd>}
    </div>
  );
}
