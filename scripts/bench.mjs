/**
 * `npm run bench -- [NAME...] [--json] [--quick] [--write]`: the measurements of bench/, against hand-written SQL in the same
 * run. `--write` puts the table into docs/benchmarks.md.
 *
 * They are bundled first, as the commands are: running from source would measure the loader too, which wraps every
 * function to keep its name.
 */
import { resolve } from 'node:path';
import { runBundled } from './build/run-bundled.mjs';

const root = resolve(import.meta.dirname, '..');
const out = resolve(root, '.cache/bench/code');
process.exitCode = await runBundled({ root, folder: 'bench', out, args: process.argv.slice(2) });
