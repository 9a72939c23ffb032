import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { runModel } from '../../../apps/codex/test/model-run.ts';
import { addNotebook } from '../../../apps/codex/src/service/notebooks.ts';
import { type Campaign, noCounts, sideBySide, violate } from '../lib/campaign.ts';
import { openWork } from '../lib/codex-notebook.ts';

const OPERATIONS = 10_000;
const OPERATIONS_OF_A_SAMPLE = 500;
/** Number of cycles that run concurrently; they mostly wait for the disk and git. */
const SIDE_BY_SIDE = 5;

/**
 * Random operations through the queue and file changes by another program, each cycle in its own notebook.
 *
 * - partial: at the end the folder, index, git and model differ
 */
export const codexModel: Campaign = {
  name: 'codex-model',
  promise: 'after 10,000 operations and outside changes, folder, index and git are exactly as a simple model says',
  cycles: 20,
  failpoints: [],
  async run(context) {
    const counts = noCounts();
    const operations = context.cycles < codexModel.cycles ? OPERATIONS_OF_A_SAMPLE : OPERATIONS;
    const seeds = Array.from({ length: context.cycles }, () => 1 + context.random.below(1_000_000));
    await sideBySide(seeds, SIDE_BY_SIDE, async (seed) => {
      if (context.isTimeUp()) return;
      const home = join(context.folder, String(seed));
      mkdirSync(home, { mode: 0o700 });
      const codex = await openWork(home);
      try {
        const notebook = await addNotebook(codex, { name: 'notes' });
        const onProgress = (done: number): void => context.progress(`seed ${seed}: ${done} of ${operations}`);
        const problems = await runModel({ codex, notebook, seed, operations, onProgress });
        counts.cycles += 1;
        counts.acknowledged += operations;
        for (const problem of problems) violate(counts, 'partial', `seed ${seed}: ${problem}`);
      } finally {
        await codex.close();
      }
    });
    return counts;
  },
};
