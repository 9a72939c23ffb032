import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { plant, runTests } from '../../planted/plant.ts';
import type { SourceMutation } from '../lib/mutate-source.ts';

/**
 * Changes one operator, condition, literal or statement of a source file at a time, and runs the tests of this file in
 * a copy of the sources. A cycle is one change; `acknowledged` counts the changes that a test noticed. A part is a
 * source file.
 *
 * - phantom: the tests noticed less than 85 % of the changes
 * - partial: the tests fail without a change, so that they prove nothing
 */
export const mutation: Campaign = {
  name: 'mutation',
  promise: 'the tests notice at least 85 % of all small changes to the store, the accounts and the models',
  cycles: 1_000,
  failpoints: [],
  async run(context) {
    const counts = noCounts();
    const all = await allMutations(context.parts);
    const sound = new Set<string>();
    for (const { file, tests, change } of context.random.shuffled(all).slice(0, context.cycles)) {
      if (context.isTimeUp()) break;
      counts.cycles += 1;
      const unchanged = { ...change, source: readFileSync(file, 'utf8') };
      if (!sound.has(file) && (await isNoticed(context.folder, file, tests, unchanged))) {
        violate(counts, 'partial', `the tests of ${file} fail without a change`);
      }
      sound.add(file);
      if (await isNoticed(context.folder, file, tests, change)) counts.acknowledged += 1;
      else context.progress(`survived: ${file}:${change.line}: ${change.before} → ${change.after}`);
    }
    judge(context, counts, all.length);
    return counts;
  },
};

const SCORE_MIN = 0.85;
/** With fewer changes, the score says little. */
const SAMPLE_MIN = 50;

/** Source files and the tests that must notice changes to them. */
const testsByFile: Readonly<Record<string, readonly string[]>> = {
  'packages/accounts/src/model/hash-policy.ts': ['packages/accounts/src/model/hash-policy.test.ts'],
  'packages/accounts/src/model/password.ts': ['packages/accounts/src/model/password.test.ts'],
  'packages/accounts/src/model/permission.ts': ['packages/accounts/src/model/permission.test.ts'],
  'packages/accounts/src/model/secret.ts': ['packages/accounts/src/model/secret.test.ts'],
  'packages/accounts/src/model/session.ts': ['packages/accounts/src/model/session.test.ts'],
  'packages/accounts/src/model/source.ts': ['packages/accounts/src/model/source.test.ts'],
  'packages/accounts/src/model/throttle.ts': [
    'packages/accounts/src/model/throttle.test.ts',
    'packages/accounts/src/service/throttling.test.ts',
  ],
  'packages/keyspace/src/keys/escape.ts': ['packages/keyspace/src/keys/keys.property.test.ts'],
  'packages/keyspace/src/keys/order.ts': ['packages/keyspace/src/keys/keys.property.test.ts'],
  'packages/keyspace/src/keys/template.ts': ['packages/keyspace/src/keys/keys.property.test.ts'],
  'packages/keyspace/src/resolve-commit.ts': [
    'packages/keyspace/src/transactions.test.ts',
    'packages/keyspace/src/model.property.test.ts',
  ],
  'packages/sqlite/src/backup-folder.ts': ['packages/sqlite/src/backup-folder.test.ts'],
  'packages/sqlite/src/journal/changeset.ts': ['packages/sqlite/src/journal/changeset.test.ts'],
  'packages/sqlite/src/journal/key-changes.ts': ['packages/sqlite/src/journal/key-changes.test.ts'],
  'packages/sqlite/src/waiting-line.ts': ['packages/sqlite/src/waiting-line.test.ts'],
  'apps/audiobooks/src/model/series-position.ts': ['apps/audiobooks/src/model/series-position.test.ts'],
  'apps/audiobooks/src/model/timeline.ts': ['apps/audiobooks/src/model/timeline.property.test.ts'],
  'apps/codex/src/model/ignore-rules.ts': ['apps/codex/src/model/ignore-rules.test.ts'],
  'apps/codex/src/model/select-group.ts': ['apps/codex/src/model/select-group.test.ts'],
  'apps/np/src/model/markdown-plan.ts': ['apps/np/src/model/markdown-plan.test.ts'],
  'apps/ringmaster/src/model/graph/metrics.ts': ['apps/ringmaster/src/model/graph/metrics.test.ts'],
  'apps/utask/src/model/import-formats/todotxt.ts': ['apps/utask/src/model/model.test.ts'],
};

interface Mutant {
  readonly file: string;
  readonly tests: readonly string[];
  readonly change: SourceMutation;
}

async function allMutations(parts: readonly string[] | undefined): Promise<readonly Mutant[]> {
  // Loads the compiler only if this campaign runs.
  const { mutationsOf } = await import('../lib/mutate-source.ts');
  return Object.entries(testsByFile)
    .filter(([file]) => parts?.includes(file) ?? true)
    .flatMap(([file, tests]) =>
      mutationsOf(file, readFileSync(file, 'utf8')).map((change) => ({ file, tests, change })),
    );
}

async function isNoticed(
  base: string,
  file: string,
  tests: readonly string[],
  change: SourceMutation,
): Promise<boolean> {
  const folder = join(base, 'copy');
  plant({ name: '', file, original: '', planted: '', lane: 'unit', caughtBy: tests[0] ?? '' }, folder, change.source);
  try {
    for (const test of tests) if (!(await runTests(folder, 'unit', test)).passed) return true;
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge(context: Context, counts: Counts, total: number): void {
  const score = counts.acknowledged / counts.cycles;
  context.progress(
    `${counts.acknowledged} of ${counts.cycles} noticed (${(score * 100).toFixed(1)} %), of ${total} changes`,
  );
  if (counts.cycles >= SAMPLE_MIN && score < SCORE_MIN) violate(counts, 'phantom', `only ${score} of the changes`);
}
