import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { MINUTE } from '@holdfast/base';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import type { SourceMutation } from '../lib/mutate-source.ts';
import { TestFinder } from '../lib/tests-of.ts';
import { plant } from '../../planted/plant.ts';
import type { TestOrder } from '../programs/mutation-tester.ts';

/**
 * Changes one operator, condition, literal or statement in the sources at a time, and runs the tests of the changed file
 * in a copy of the sources. A cycle is one change, chosen at random; `acknowledged` counts the changes that a test
 * noticed. A part is a source file.
 *
 * - phantom: the tests noticed less than 85 % of the changes
 * - partial: a file has no test that passes without a change
 */
export const mutation: Campaign = {
  name: 'mutation',
  promise: 'the tests notice at least 85 % of all small changes to the store, the accounts and the models',
  cycles: 1_000,
  failpoints: [],
  async run(context) {
    const counts = noCounts();
    const all = await allMutants(context);
    const chosen = context.random.shuffled(all).slice(0, context.cycles);
    const folder = join(context.folder, 'copy');
    copySources(folder);
    const tester = new Tester(folder, (test) =>
      context.progress(`left out, because it fails without a change: ${test}`),
    );
    try {
      for (const { file, tests, change } of chosen) {
        if (context.isTimeUp()) break;
        counts.cycles += 1;
        const noticed = await tester.notices(file, change, tests);
        if (noticed === 'unsound') violate(counts, 'partial', `${file} has no test that passes without a change`);
        else if (noticed) counts.acknowledged += 1;
        else context.progress(`survived: ${file}:${change.line}: ${change.before} → ${change.after}`);
        if (counts.cycles % 50 === 0) context.progress(`${counts.acknowledged} of ${counts.cycles} noticed`);
      }
    } finally {
      tester.stop();
    }
    judge(context, counts, all.length);
    return counts;
  },
};

const SCORE_MIN = 0.85;
/** With fewer changes, the score says little. */
const SAMPLE_MIN = 50;
/** Only the most specific tests of a file run. This can only lower the score. */
const TESTS_MAX = 6;
/** A change can make the code loop forever; the change then counts as noticed. */
const PATIENCE_MS: number = 2 * MINUTE;
const LOOPED = 'the tests did not end';

const PACKAGES = ['packages/sqlite/src', 'packages/keyspace/src', 'packages/accounts/src'];
/** Tests, lists of exports and error texts. */
const EXCLUDED = /\.test\.ts$|\/index\.ts$|\/errors\.ts$/u;

/** Returns the sources of the store and the accounts, and the applications' models. */
function sourceFiles(): readonly string[] {
  const models = readdirSync('apps').map((name) => `apps/${name}/src/model`);
  return [...PACKAGES, ...models.filter((folder) => existsSync(folder))]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .filter((path) => path.endsWith('.ts') && !EXCLUDED.test(path))
    .toSorted();
}

interface Mutant {
  readonly file: string;
  readonly tests: readonly string[];
  readonly change: SourceMutation;
}

async function allMutants({ parts }: Context): Promise<readonly Mutant[]> {
  // Loads the compiler only if this campaign runs.
  const { mutationsOf } = await import('../lib/mutate-source.ts');
  const finder = new TestFinder(process.cwd());
  return sourceFiles()
    .filter((file) => parts?.includes(file) ?? true)
    .flatMap((file) => {
      const tests = finder.testsOf(file);
      return mutationsOf(file, readFileSync(file, 'utf8')).map((change) => ({ file, tests, change }));
    });
}

/** Copies everything that a test may read. */
function copySources(folder: string): void {
  plant(undefined, folder, { withApps: true });
  for (const name of ['docs', 'scripts', 'bench', 'README.md', 'package-lock.json']) {
    cpSync(name, join(folder, name), { recursive: true });
  }
}

/** The process that runs tests. Starts again after a change that made it loop or end. */
class Tester {
  readonly #folder: string;
  readonly #onUnsound: (test: string) => void;
  #child: ChildProcess | undefined;
  /** Tests by whether they pass without a change. */
  readonly #isSound = new Map<string, boolean>();

  constructor(folder: string, onUnsound: (test: string) => void) {
    this.#folder = folder;
    this.#onUnsound = onUnsound;
  }

  /** Runs the tests with the change. A failed test counts only if it passes without the change. */
  async notices(file: string, { source }: SourceMutation, tests: readonly string[]): Promise<boolean | 'unsound'> {
    for (;;) {
      const left = tests.filter((test) => this.#isSound.get(test) !== false).slice(0, TESTS_MAX);
      if (left.length === 0) return 'unsound';
      const [failed] = await this.#run({ change: { file, source }, tests: left });
      if (failed === undefined) return false;
      if (failed === LOOPED || (await this.#passes(failed))) return true;
    }
  }

  async #passes(test: string): Promise<boolean> {
    const known = this.#isSound.get(test);
    if (known !== undefined) return known;
    const isSound = (await this.#run({ tests: [test] })).length === 0;
    this.#isSound.set(test, isSound);
    if (!isSound) this.#onUnsound(test);
    return isSound;
  }

  /** Returns the test files that failed; the run ends at the first failure. */
  async #run(order: TestOrder): Promise<readonly string[]> {
    this.#child ??= this.#start();
    const child = this.#child;
    const lines = createInterface({ input: child.stdout! });
    const late = setTimeout(() => this.stop(), PATIENCE_MS);
    child.stdin?.write(`${JSON.stringify(order)}\n`);
    try {
      for await (const line of lines) {
        if (line.startsWith('failed ')) return JSON.parse(line.slice('failed '.length)) as string[];
      }
    } finally {
      clearTimeout(late);
      lines.close();
    }
    this.stop();
    return [LOOPED];
  }

  stop(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    // The group includes Vitest's worker, which may be in an endless loop.
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }

  #start(): ChildProcess {
    const program = join(import.meta.dirname, 'programs', 'mutation-tester.mjs');
    return spawn(process.execPath, [program, this.#folder], {
      cwd: this.#folder,
      detached: true,
      env: { ...process.env, NO_COLOR: '1', VITEST: '' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
  }
}

function judge(context: Context, counts: Counts, total: number): void {
  const score = counts.acknowledged / counts.cycles;
  context.progress(
    `${counts.acknowledged} of ${counts.cycles} noticed (${(score * 100).toFixed(1)} %), of ${total} changes`,
  );
  if (counts.cycles >= SAMPLE_MIN && score < SCORE_MIN)
    violate(counts, 'phantom', `the tests noticed only ${score} of the changes`);
}
