import { monitorEventLoopDelay } from 'node:perf_hooks';

import {
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricType,
  type MetricValueWithName,
  Registry,
} from 'prom-client';

const DURATION_BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

export interface Metrics {
  readonly registry: Registry;
  requestStarted(): void;
  requestEnded(method: string, route: string, status: number, seconds: number): void;
  close(): void;
}

/** Labels are route templates, methods and statuses, so the number of series stays small. */
export function createMetrics(listeners: () => number): Metrics {
  const registry = new Registry();
  const duration = new RouteDurations(
    'holdfast_http_request_duration_seconds',
    'Time from request headers to response, by route template',
    DURATION_BUCKETS_SECONDS,
    registry,
  );
  let inFlight = 0;
  gauge(registry, 'holdfast_http_requests_in_flight', 'Requests in progress', () => inFlight);
  gauge(registry, 'holdfast_http_event_listeners', 'Open event streams', listeners);
  gauge(registry, 'holdfast_process_resident_memory_bytes', 'Resident memory of the process', () =>
    process.memoryUsage.rss(),
  );
  gauge(registry, 'holdfast_process_uptime_seconds', 'Uptime of the process', () => process.uptime());
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  gauge(
    registry,
    'holdfast_event_loop_lag_p99_seconds',
    '99th percentile of the event loop delay since the last scrape',
    () => {
      const seconds = lag.percentile(99) / NANOSECONDS;
      lag.reset();
      return seconds;
    },
  );
  return {
    registry,
    requestStarted: () => {
      inFlight += 1;
    },
    requestEnded: (method, route, status, seconds) => {
      inFlight -= 1;
      duration.note(method, route, status, seconds);
    },
    close: () => lag.disable(),
  };
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const metric: Gauge = new Gauge({ name, help, registers: [registry], collect: () => metric.set(read()) });
}

type Label = 'method' | 'route' | 'status' | 'le';
type Value = MetricValueWithName<Label>;

interface Series {
  readonly labels: Readonly<Record<'method' | 'route' | 'status', string | number>>;
  /** Number of requests per bucket; the last bucket is for larger values. */
  readonly counts: number[];
  sum: number;
}

/**
 * Request durations by route. prom-client's histogram checks, sorts and joins labels on every observation, which takes
 * a large part of a short request's time. Here, one string identifies a series.
 */
export class RouteDurations extends Histogram<Label> {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor(name: string, help: string, bounds: readonly number[], registry: Registry) {
    super({ name, help, labelNames: ['method', 'route', 'status'], buckets: [...bounds], registers: [registry] });
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  note(method: string, route: string, status: number, seconds: number): void {
    const key = `${status} ${method} ${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = {
        labels: { method, route, status },
        counts: Array.from({ length: this.#bounds.length + 1 }, () => 0),
        sum: 0,
      };
      this.#series.set(key, series);
    }
    const bucket = this.#bounds.findIndex((bound) => seconds <= bound);
    const place = bucket < 0 ? this.#bounds.length : bucket;
    series.counts[place] = (series.counts[place] ?? 0) + 1;
    series.sum += seconds;
  }

  override async get(): Promise<MetricObjectWithValues<Value>> {
    return this.getForPromString();
  }

  /** Called by prom-client's registry. */
  async getForPromString(): Promise<MetricObjectWithValues<Value>> {
    const values = [...this.#series.values()].flatMap((series) => this.#valuesOf(series));
    // prom-client declares the enum MetricType in its types but does not export it at run time.
    const type = 'histogram' as unknown as MetricType;
    return { name: this.#name, help: this.#help, type, aggregator: 'sum', collect: () => undefined, values };
  }

  #valuesOf({ labels, counts, sum }: Series): Value[] {
    let count = 0;
    const buckets = counts.map((here, place): Value => {
      count += here;
      return {
        metricName: `${this.#name}_bucket`,
        labels: { le: this.#bounds[place] ?? '+Inf', ...labels },
        value: count,
      };
    });
    return [
      ...buckets,
      { metricName: `${this.#name}_sum`, labels, value: sum },
      { metricName: `${this.#name}_count`, labels, value: count },
    ];
  }
}
