import { readOptions } from '../scripts/runner/read-options.ts';
import { toTable, writeDocument } from './lib/document.ts';
import { type Figure, reachesGoal, runBenchmark } from './lib/harness.ts';
import { benchmarks } from './registry.ts';

const usage = `npm run bench                          run all benchmarks
npm run bench -- codex np.crowd        run the benchmarks whose names start with codex or np.crowd
npm run bench -- --quick               run fewer rounds, to check that the benchmarks work
npm run bench -- --json                print one JSON array of figures
npm run bench -- --write               run all benchmarks and update docs/benchmarks.md

${Object.keys(benchmarks).join(', ')}`;

const { values, positionals } = readOptions(
  {
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  },
  usage,
);

const progress = (text: string): void => void process.stderr.write(`${text}\n`);
const refuse = (text: string): never => {
  progress(text);
  process.exit(2);
};
const chosen = Object.entries(benchmarks).filter(
  ([name]) => positionals.length === 0 || positionals.some((wanted) => name.startsWith(wanted)),
);
if (chosen.length === 0) {
  refuse(`There is no benchmark ${positionals.join(', ')}. Choose from: ${Object.keys(benchmarks).join(', ')}`);
}
if (values.write && (values.quick || positionals.length > 0)) {
  refuse('The document shows one complete run: use --write without names and without --quick');
}

const figures: Figure[] = [];
const failed: string[] = [];
for (const [name, load] of chosen) {
  progress(`${name} …`);
  const { benchmark } = await load();
  try {
    const measured = await runBenchmark(benchmark, { quick: values.quick, progress });
    progress(toTable(measured));
    figures.push(...measured);
  } catch (error) {
    // A whole run takes half an hour: one benchmark that fails must not lose the figures of the others.
    progress(`${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    failed.push(name);
  }
}
if (failed.length > 0) {
  progress(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
} else if (values.write) {
  writeDocument(figures);
}
process.stdout.write(values.json ? `${JSON.stringify(figures, undefined, 2)}\n` : `${toTable(figures)}\n`);
if (!values.quick && !figures.every(reachesGoal)) process.exitCode = 1;
