import { Worker } from 'node:worker_threads';

import { type GraphInput, type GraphMetrics, graphMetrics, metricFunctions } from '../model/graph/metrics.ts';

/**
 * Computes in a thread of its own, so that claims go on meanwhile. The thread is started from the text of the
 * functions: a command is one bundled file, and there is no second one to start a thread from.
 */
export async function computeMetrics(input: GraphInput): Promise<GraphMetrics> {
  const worker = new Worker(workerText(), { eval: true });
  try {
    return await new Promise<GraphMetrics>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      // A thread of ours has no origin; the second argument says what is handed over instead of copied.
      worker.postMessage(input, []);
    });
  } finally {
    await worker.terminate();
  }
}

/** Bundlers rename functions, consistently: so the text says what they are called now. Some wrap them in __name. */
function workerText(): string {
  const texts = metricFunctions.map(String);
  const [, entry] = /^function\s+([\w$]+)/.exec(String(graphMetrics)) ?? [];
  if (entry === undefined) throw new TypeError('The metric functions must be declarations');
  return `const __name = (value) => value;
${texts.join('\n')}
const { parentPort } = require('node:worker_threads');
parentPort.once('message', (input) => parentPort.postMessage(${entry}(input)));`;
}
