import { Worker } from 'node:worker_threads';

import { type GraphInput, type GraphMetrics, graphMetrics, metricFunctions } from '../model/graph/metrics.ts';

/**
 * Computes in a worker thread, so that claims can continue during the computation. The thread gets the source text of
 * the functions, because a bundled command has no separate file that a thread could start from.
 */
export async function computeMetrics(input: GraphInput): Promise<GraphMetrics> {
  const worker = new Worker(workerText(), { eval: true });
  try {
    return await new Promise<GraphMetrics>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      // Unlike in a browser, the second argument is not a target origin, but the list of transferred objects.
      worker.postMessage(input, []);
    });
  } finally {
    await worker.terminate();
  }
}

/**
 * Returns the source text of the worker thread. Bundlers may rename functions or wrap them in `__name`. So the text
 * calls the entry function by its current name and defines `__name` itself.
 */
function workerText(): string {
  const texts = metricFunctions.map(String);
  const [, entry] = /^function\s+([\w$]+)/.exec(String(graphMetrics)) ?? [];
  if (entry === undefined) throw new TypeError('The metric functions must be declarations');
  return `const __name = (value) => value;
${texts.join('\n')}
const { parentPort } = require('node:worker_threads');
parentPort.once('message', (input) => parentPort.postMessage(${entry}(input, () => performance.now())));`;
}
