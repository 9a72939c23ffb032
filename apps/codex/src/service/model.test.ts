import { expect, it } from 'vitest';

import { openHarness } from '../../test/harness.ts';
import { runModel } from '../../test/model-run.ts';

/** `npm run crash -- codex-model` runs more and longer tests. */
it.each([1, 2])('random operations and changes by hand end as the model says (seed %i)', async (seed) => {
  const { codex, notebook } = await openHarness({ settings: { git_commit_interval: 1, git_quiet_interval: 0.05 } });
  expect(await runModel({ codex, notebook, seed, operations: 100 })).toEqual([]);
});
