import { monitorEventLoopDelay } from 'node:perf_hooks';

import { Gauge, Registry } from 'prom-client';

import { RouteDurations } from './route-durations.ts';

/** From half a millisecond to ten seconds. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

export interface Metrics {
  /** Applications register their metrics here. */
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
    'Time from the headers of a request to its answer, by route template',
    DURATION_BUCKETS,
    registry,
  );
  let inFlight = 0;
  gauge(registry, 'holdfast_http_requests_in_flight', 'Requests being answered', () => inFlight);
  gauge(registry, 'holdfast_http_event_listeners', 'Live connections that follow events', listeners);
  gauge(registry, 'holdfast_process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
  gauge(registry, 'holdfast_process_uptime_seconds', 'Age of the process', () => process.uptime());
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  gauge(registry, 'holdfast_event_loop_lag_p99_seconds', 'Delay of the event loop since the last scrape', () => {
    const seconds = lag.percentile(99) / NANOSECONDS;
    lag.reset();
    return seconds;
  });
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
