import {
  Histogram,
  type MetricObjectWithValues,
  type MetricType,
  type MetricValueWithName,
  type Registry,
} from 'prom-client';

type Label = 'method' | 'route' | 'status' | 'le';
type Value = MetricValueWithName<Label>;

interface Series {
  readonly labels: Readonly<Record<'method' | 'route' | 'status', string | number>>;
  /** Count per bucket; the last is for larger values. */
  readonly counts: number[];
  sum: number;
}

/**
 * Request durations by route. The prom-client histogram checks, sorts and joins labels on every observation, a large
 * part of a short request; here one string identifies a series.
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

  /** Called by the registry of prom-client. */
  async getForPromString(): Promise<MetricObjectWithValues<Value>> {
    const values = [...this.#series.values()].flatMap((series) => this.#valuesOf(series));
    // The types promise an enum that the package does not export.
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
