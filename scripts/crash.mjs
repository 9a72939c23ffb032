/**
 * `npm run crash -- [NAME...] [--cycles N] [--minutes M] [--seed S] [--canary] [--json] [--write]`: kills processes again
 * and again and compares what is left with what they had been told. `--write` puts the figures of a whole run into docs/crash-campaigns.md.
 *
 * Everything is bundled first: a campaign starts thousands of processes, and from source each would compile its own.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
// A folder of its own: another run may be under way, and must not find its programs changed.
const out = resolve(root, `.cache/crash/code-${process.pid}`);

/** Programs run in processes of their own, so each is an entrance. */
const programs = readdirSync(resolve(root, 'scripts/crash/programs')).map((file) => [
  `programs/${basename(file, '.ts')}`,
  resolve(root, 'scripts/crash/programs', file),
]);

await build({
  entryPoints: { main: resolve(root, 'scripts/crash/main.ts'), ...Object.fromEntries(programs) },
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['holdfast-source'],
  external: ['@photostructure/sqlite'],
  sourcemap: true,
  absWorkingDir: root,
  logLevel: 'warning',
});

const { status } = spawnSync(process.execPath, [resolve(out, 'main.mjs'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
rmSync(out, { recursive: true, force: true });
process.exitCode = status ?? 1;
