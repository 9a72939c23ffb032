/**
 * Feeds mutated inputs to one parser: `fuzzer TARGET FOLDER SEED INPUTS`. Keeps the inputs that reach new code, as V8
 * reports it, in a file in the folder, and mutates these further. Prints `violation KIND TEXT` lines, and at the end
 * `done INPUTS KEPT RSS`.
 */
import { Session } from 'node:inspector/promises';

import { readCorpus, writeCorpus } from '../lib/fuzz-corpus.ts';
import { fuzzTargets, isExpected } from '../lib/fuzz-targets.ts';
import { mutated } from '../../../apps/audiobooks/test/mutate.ts';
import { Random } from '../../../packages/sqlite/test/random.ts';

const [name = '', folder = '', seed = '1', inputs = '1'] = process.argv.slice(2);
const target = fuzzTargets.find((one) => one.name === name);
if (target === undefined) throw new Error(`There is no target ${name}`);

const random = new Random(Number(seed));
const BATCH = 200;
const LENGTH_MAX = 100_000;
const CPU_MAX_MS = 2_000;
const TOKENS = [
  '\0',
  '\n',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  '---',
  '__proto__',
  'constructor',
  '-1',
  '1e999',
  '99999999999999999999',
  '\u{1f4a9}',
  '\ud800',
  '&amp;',
  '<!--',
  '%00',
  '../',
  'null',
];

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * The code that has run so far. `reachesNewCode` adds the code that ran since its last call; it returns true if any is
 * new.
 */
const reached = new Set<string>();
async function reachesNewCode(): Promise<boolean> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const before = reached.size;
  for (const { scriptId, url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    for (const { ranges } of functions) {
      for (const { startOffset, count } of ranges) if (count > 0) reached.add(`${scriptId}:${startOffset}`);
    }
  }
  return reached.size > before;
}

const report = (kind: string, error: unknown, bytes: Buffer): void => {
  const detail =
    error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ') : String(error);
  process.stdout.write(
    `violation ${kind} ${name}: ${detail} input(base64) ${bytes.subarray(0, 3_000).toString('base64')}\n`,
  );
};

async function feed(bytes: Buffer): Promise<void> {
  const before = process.cpuUsage();
  try {
    await target?.run(bytes, folder);
  } catch (error) {
    if (!isExpected(error)) report('phantom', error, bytes);
  }
  const { user, system } = process.cpuUsage(before);
  if ((user + system) / 1_000 > CPU_MAX_MS) report('partial', `took ${Math.round(user / 1_000)} ms`, bytes);
}

const samples = target.samples().map((sample) => Buffer.from(sample));
const corpus: Buffer[] = [...samples, ...readCorpus(folder, name)];

function nextInput(): Buffer {
  if (random.next() < 0.5) return mutated(corpus, random).subarray(0, LENGTH_MAX);
  let bytes = random.of(corpus);
  for (let n = 1 + random.below(4); n > 0; n--) {
    const at = random.below(bytes.length + 1);
    const piece =
      random.next() < 0.6 ? Buffer.from(random.of(TOKENS)) : random.of(corpus).subarray(0, random.below(64));
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + random.below(3))]);
  }
  return bytes.subarray(0, LENGTH_MAX);
}

for (const sample of corpus) await feed(sample);
await reachesNewCode();
let fed = 0;
while (fed < Number(inputs)) {
  const batch = Array.from({ length: Math.min(BATCH, Number(inputs) - fed) }, nextInput);
  for (const bytes of batch) await feed(bytes);
  fed += batch.length;
  const known = new Set(reached);
  if (!(await reachesNewCode())) continue;
  // Reading the coverage is slow, so it is read once per batch. If a batch reached new code, its inputs are repeated
  // one by one to find those that reached it.
  reached.clear();
  for (const place of known) reached.add(place);
  for (const bytes of batch) {
    await feed(bytes);
    if (await reachesNewCode()) corpus.push(bytes);
  }
}
writeCorpus(folder, name, corpus.slice(samples.length));
process.stdout.write(`done ${fed} ${corpus.length} ${Math.round(process.resourceUsage().maxRSS / 1024)}\n`);
process.exit(0);
