import type { Benchmark } from './lib/harness.ts';

/** Every measurement: `npm run bench -- NAME` runs those whose name begins with NAME. */
export const benchmarks: Readonly<Record<string, () => Promise<{ readonly benchmark: Benchmark }>>> = {
  'keyspace.point_get': () => import('./keyspace/point-get.ts'),
  'keyspace.scan': () => import('./keyspace/scan.ts'),
  'keyspace.transaction': () => import('./keyspace/transaction.ts'),
  'keyspace.group_commit': () => import('./keyspace/group-commit.ts'),
  'keyspace.scale': () => import('./keyspace/scale.ts'),
  'keyspace.watch': () => import('./keyspace/watch.ts'),
  'sqlite.fair_lock': () => import('./sqlite/fair-lock.ts'),
  'hub.authenticated_read': () => import('./hub/authenticated-read.ts'),
  'hub.listeners': () => import('./hub/listeners.ts'),
  'np.commands': () => import('./np/commands.ts'),
  'np.crowd': () => import('./np/crowd.ts'),
  'np.monitor': () => import('./np/monitor.ts'),
  'np.taskwarrior': () => import('./np/taskwarrior.ts'),
  'holdfast.keys': () => import('./holdfast/keys.ts'),
  'ringmaster.claim': () => import('./ringmaster/claim.ts'),
  'ringmaster.metrics': () => import('./ringmaster/metrics.ts'),
  'ringmaster.rerank': () => import('./ringmaster/rerank.ts'),
  'ringmaster.import': () => import('./ringmaster/import.ts'),
  'ringmaster.commands': () => import('./ringmaster/commands.ts'),
  utask: () => import('./utask/all.ts'),
};
