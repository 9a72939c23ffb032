import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { MINUTE } from '@holdfast/base';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';
import { CORPUS, readCorpus, smallCorpus, writeCorpus } from '../lib/fuzz-corpus.ts';
import { fuzzTargets } from '../lib/fuzz-targets.ts';

/** Inputs for each parser in a full run. */
const INPUTS = 1_000_000;

/**
 * Feeds mutated inputs to every parser of external bytes, in processes with little memory. A part is a parser.
 *
 * - lost: a process ended before it had parsed all inputs
 * - phantom: a parser threw an error without a code, or returned an impossible result
 * - partial: an input took more than two seconds of CPU time, or a process too much memory
 */
export const fuzz: Campaign = {
  name: 'fuzz',
  promise: 'no input makes a parser crash, hang, fill the memory or fail without an error code',
  cycles: fuzzTargets.length * INPUTS,
  failpoints: [],
  async run(context) {
    const counts = noCounts();
    const names = fuzzTargets.map(({ name }) => name).filter((name) => context.parts?.includes(name) ?? true);
    const each = Math.ceil(context.cycles / names.length);
    for (const name of names) {
      writeCorpus(context.folder, name, readCorpus(CORPUS, name));
      for (let fed = 0; fed < each && !context.isTimeUp() && counts.cycles < context.cycles;) {
        const inputs = Math.min(BATCH, each - fed, context.cycles - counts.cycles);
        await runFuzzer(context, counts, name, inputs);
        fed += inputs;
        if (fed >= INPUTS) writeCorpus(CORPUS, name, smallCorpus(readCorpus(context.folder, name)));
      }
    }
    return counts;
  },
};

/** Inputs in one process. */
const BATCH = 100_000;
const HEAP_MEBIBYTES = 192;
const RSS_MAX_MEBIBYTES = 512;

async function runFuzzer(context: Context, counts: Counts, name: string, inputs: number): Promise<void> {
  const seed = 1 + context.random.below(1_000_000_000);
  const program = join(import.meta.dirname, 'programs', 'fuzzer.mjs');
  const args = [`--max-old-space-size=${HEAP_MEBIBYTES}`, program, name, context.folder, String(seed), String(inputs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 30 * MINUTE });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = output.trimEnd().split('\n');
  for (const line of lines) {
    const [, kind, text] = /^violation (phantom|partial) (.*)$/u.exec(line) ?? [];
    if (text === undefined) continue;
    violate(counts, kind as 'phantom' | 'partial', `seed ${seed}: ${text}`);
  }
  const [, fed, kept, rss] = /^done (\d+) (\d+) (\d+)$/u.exec(lines.at(-1) ?? '') ?? [];
  counts.cycles += inputs;
  counts.acknowledged += Number(fed ?? 0);
  if (fed === undefined) violate(counts, 'lost', `${name}, seed ${seed}: ended with ${code}: ${errors.slice(0, 300)}`);
  if (Number(rss) > RSS_MAX_MEBIBYTES) violate(counts, 'partial', `${name}, seed ${seed}: took ${rss} MiB`);
  context.progress(`${name}: ${fed} inputs, ${kept} kept, ${rss} MiB`);
}
