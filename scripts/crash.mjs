/**
 * `npm run crash -- [NAME...] [--cycles N] [--minutes M] [--parts P,…] [--seed S] [--canary] [--json] [--write]`: kills processes again
 * and again and compares what is left with what they had been told. `--write` puts the figures of a whole run into docs/crash-campaigns.md.
 *
 * Everything is bundled first: a campaign starts thousands of processes, and from source each would compile its own.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { runBundled } from './build/run-bundled.mjs';

const root = resolve(import.meta.dirname, '..');
// A folder of its own: another run may be under way, and must not find its programs changed.
const out = resolve(root, `.cache/crash/code-${process.pid}`);
process.exitCode = await runBundled({ root, folder: 'scripts/crash', out, args: process.argv.slice(2) });
rmSync(out, { recursive: true, force: true });
