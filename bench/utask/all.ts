import { createRequire } from 'node:module';

import type { Context, Figure } from '../lib/harness.ts';

/** All utask benchmarks; need the built command (`npm run build`) and nats-server. */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  // The CommonJS NATS client calls `require`, which ES modules lack.
  Object.assign(globalThis, { require: createRequire(import.meta.url) });
  const { commandFigures } = await import('./commands.ts');
  const { storeFigures } = await import('./store.ts');
  return [...(await commandFigures(context)), ...(await storeFigures(context))];
}
