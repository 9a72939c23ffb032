import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { MINUTE } from '@holdfast/base';

import { type Campaign, type Context, type Counts, noCounts, violate } from '../lib/campaign.ts';

/**
 * Reads damaged media files in processes with little memory and time.
 *
 * - lost: a process ended before reporting all its files
 * - phantom: a file was read with an impossible length or chapters
 * - partial: a process used too much memory or did not end
 */
export const media: Campaign = {
  name: 'media',
  promise: 'no damaged media file crashes a scan, makes it hang or fills the memory',
  cycles: 10_000,
  failpoints: [],
  async run(context) {
    const counts = noCounts();
    while (counts.cycles < context.cycles && !context.isTimeUp()) {
      const files = Math.min(BATCH, context.cycles - counts.cycles);
      await runBatch(context, counts, files, 1 + context.random.below(1_000_000_000));
      counts.cycles += files;
      context.progress(`${counts.cycles} of ${context.cycles} files`);
    }
    return counts;
  },
};

const BATCH = 500;
const HEAP_MEBIBYTES = 96;
const RSS_MAX_MEBIBYTES = 300;

interface Ended {
  readonly lines: readonly string[];
  readonly failure: string | undefined;
}

async function runBatch({ folder }: Context, counts: Counts, files: number, seed: number): Promise<void> {
  const { lines, failure } = await runProber([folder, String(seed), String(files)]);
  const answers = lines.filter((line) => line.startsWith('read') || line.startsWith('refused'));
  counts.acknowledged += answers.length;
  if (failure !== undefined) violate(counts, 'partial', `seed ${seed}: ${failure}`);
  if (answers.length < files)
    violate(counts, 'lost', `seed ${seed}: ${answers.length} of ${files} files were reported`);
  for (const line of lines.filter((one) => one.startsWith('impossible')))
    violate(counts, 'phantom', `seed ${seed}: ${line}`);
  const rss = Number(/^rss (\d+)$/u.exec(lines.at(-1) ?? '')?.[1] ?? Number.NaN);
  if (rss > RSS_MAX_MEBIBYTES) violate(counts, 'partial', `seed ${seed}: took ${rss} MiB`);
}

function runProber(args: readonly string[]): Promise<Ended> {
  const program = join(import.meta.dirname, 'programs', 'media-prober.mjs');
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MEBIBYTES}`, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 2 * MINUTE,
    killSignal: 'SIGKILL',
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code, signal) => {
      const failure = code === 0 ? undefined : `ended with ${code ?? signal}: ${errors.trim().split('\n')[0] ?? ''}`;
      resolve({ lines: output.trimEnd().split('\n'), failure });
    });
  });
}
