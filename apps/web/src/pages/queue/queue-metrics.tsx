import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';

import { metricsQuery, queuePlotQuery } from '../../api/codex-queries.ts';
import { count, duration } from '../../lib/format.ts';
import { useFilters } from '../../lib/filters.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Plot } from '../../ui/plot.tsx';
import { Segments } from '../../ui/segments.tsx';

const spans = [
  { value: '60', label: 'Hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: 'Day' },
] as const;

const whole = (value: number): string => (Number.isInteger(value) ? count(value) : value.toFixed(1));
const seconds = (value: number): string => (value < 10 ? `${value.toFixed(1)} s` : duration(value));
const zero = (values: readonly (number | null)[]): readonly number[] => values.map((value) => value ?? 0);

/** Throughput, waiting time and commit delay of the queue. */
export function QueueMetrics(): ReactNode {
  const [{ span = '' }, change] = useFilters();
  const chosen = spans.find(({ value }) => value === span)?.value ?? '60';
  const figures = useQuery(queuePlotQuery(Number(chosen)));
  return (
    <Card
      title="Queue metrics"
      description={<Summary />}
      actions={
        <Segments
          label="Period"
          value={chosen}
          options={spans}
          onChange={(next) => change({ span: next === '60' ? '' : next })}
        />
      }
    >
      <Loaded query={figures}>
        {(found) => (
          <Plots
            at={found.at}
            throughput={found.throughput_per_minute}
            age={found.oldest_pending_seconds}
            lag={found.git_lag_seconds}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Summary(): ReactNode {
  const { data } = useQuery(metricsQuery);
  if (data === undefined) return 'Loading …';
  const { pending, dead, completed_24h: done, latency_p50_ms: latency } = data;
  const git = data.notebooks.reduce((sum, each) => sum + each.git_pending, 0);
  return [
    `${count(pending)} queued`,
    `${count(dead)} failed`,
    `${count(done)} done in 24 hours${latency === null ? '' : ` (median ${Math.max(1, Math.round(latency))} ms)`}`,
    git === 0 ? 'everything committed' : `${count(git, 'change')} not committed yet`,
  ].join(' · ');
}

interface PlotsProps {
  readonly at: readonly string[];
  readonly throughput: readonly number[];
  readonly age: readonly (number | null)[];
  readonly lag: readonly (number | null)[];
}

function Plots({ at, throughput, age, lag }: PlotsProps): ReactNode {
  const times = useMemo(() => at.map((time) => Date.parse(time) / 1_000), [at]);
  const ages = useMemo(() => zero(age), [age]);
  const lags = useMemo(() => zero(lag), [lag]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[repeat(3,minmax(0,1fr))]">
      <Plot title="Done per minute" times={times} values={throughput} format={whole} />
      <Plot title="Oldest queued operation" times={times} values={ages} format={seconds} />
      <Plot title="Commit delay" times={times} values={lags} format={seconds} />
    </div>
  );
}
