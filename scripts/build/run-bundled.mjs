/** Bundles a script of ours with the programs it starts, and runs it: what runs is code as the commands are built. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * `folder` holds main.ts and programs/; each program runs in a process of its own, so each is an entrance. Gives the
 * exit code.
 */
export async function runBundled({ root, folder, out, args }) {
  const programs = readdirSync(resolve(root, folder, 'programs')).map((file) => [
    `programs/${basename(file, '.ts')}`,
    resolve(root, folder, 'programs', file),
  ]);
  await build({
    entryPoints: { main: resolve(root, folder, 'main.ts'), ...Object.fromEntries(programs) },
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['holdfast-source'],
    external: ['@photostructure/sqlite', '@node-rs/argon2', 'playwright-core', 'sharp'],
    // Libraries in the older module format ask for Node's own modules in this way.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
    },
    sourcemap: true,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, [resolve(out, 'main.mjs'), ...args], { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}
