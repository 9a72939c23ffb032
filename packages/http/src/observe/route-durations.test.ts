import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { RouteDurations } from './metrics.ts';

const bounds = [0.001, 0.01, 0.1];

it('writes the same text as the histogram of prom-client, whatever is observed', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const durations = new RouteDurations('d', 'How long', bounds, ours);
  const labelNames = ['method', 'route', 'status'];
  const histogram = new Histogram({ name: 'd', help: 'How long', labelNames, buckets: bounds, registers: [theirs] });
  expect(await ours.metrics()).toBe(await theirs.metrics());
  const observed = [
    ['GET', '/a', 200, 0.0005],
    ['GET', '/a', 200, 0.001],
    ['GET', '/a', 200, 0.05],
    ['POST', '/a', 201, 7],
    ['GET', '/a/{id}', 404, 0.01],
    ['GET', '/a', 200, 0.25],
  ] as const;
  for (const [method, route, status, seconds] of observed) {
    durations.note(method, route, status, seconds);
    histogram.observe({ method, route, status }, seconds);
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});
