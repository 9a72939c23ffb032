/**
 * `npm run bench -- [NAME...] [--json] [--quick] [--write]`: runs the benchmarks in bench/ and compares them with
 * baselines. `--write` puts the table into docs/benchmarks.md. Bundles the benchmarks first, like the commands. Running
 * the sources would also measure the loader, which wraps every function to keep its name.
 */
import { resolve } from 'node:path';
import { runBundled } from './build/run-bundled.mjs';

const root = resolve(import.meta.dirname, '..');
const out = resolve(root, '.cache/bench/code');
process.exitCode = await runBundled({ root, folder: 'bench', out, args: process.argv.slice(2) });
