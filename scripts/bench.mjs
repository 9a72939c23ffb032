/**
 * `npm run bench -- [NAME...] [--json] [--quick] [--write]`: the measurements of bench/, against hand-written SQL in the same
 * run. `--write` puts the table into docs/benchmarks.md.
 *
 * They are bundled first, as the commands are: running from source would measure the loader too, which wraps every
 * function to keep its name.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '..');
const out = resolve(root, '.cache/bench/code');

/** Programs run in processes of their own, so each is an entrance. */
const programs = readdirSync(resolve(root, 'bench/programs')).map((file) => [
  `programs/${basename(file, '.ts')}`,
  resolve(root, 'bench/programs', file),
]);

await build({
  entryPoints: { main: resolve(root, 'bench/main.ts'), ...Object.fromEntries(programs) },
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
process.exitCode = status ?? 1;
