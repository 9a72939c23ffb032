/**
 * `npm run crash -- [NAME...] [--cycles N] [--minutes M] [--parts P,…] [--seed S] [--canary] [--json] [--write]`:
 * repeatedly kills processes and compares the stored data with what was acknowledged. `--write` puts the figures of a
 * whole run into docs/crash-campaigns.md.
 *
 * Bundles everything first: a campaign starts thousands of processes, and each would otherwise compile its own sources.
 */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { runBundled } from './build/run-bundled.mjs';

const root = resolve(import.meta.dirname, '..');
// A separate folder, because another run may still start programs from its own folder.
const out = resolve(root, `.cache/crash/code-${process.pid}`);
process.exitCode = await runBundled({ root, folder: 'scripts/crash', out, args: process.argv.slice(2) });
rmSync(out, { recursive: true, force: true });
