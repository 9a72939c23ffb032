import type { Context, Figure } from '../lib/harness.ts';
import { claimFigures } from './claim.ts';
import { commandFigures } from './commands.ts';
import { importFigures } from './import.ts';
import { metricsFigures } from './metrics.ts';
import { rerankFigures } from './rerank.ts';

/** The figures of the ringmaster, each against something measured in the same run. */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const measure of [claimFigures, metricsFigures, rerankFigures, importFigures, commandFigures]) {
    figures.push(...(await measure(context)));
  }
  return figures;
}
