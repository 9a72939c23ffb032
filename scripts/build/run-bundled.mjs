/** Bundles one of our scripts, and the programs that it starts, in the same way as the commands; then runs it. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * `folder` contains main.ts and programs/; each program is an entry point with its own process. Returns the exit code.
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
    external: [
      '@photostructure/sqlite',
      '@node-rs/argon2',
      '@node-rs/bcrypt',
      'playwright-core',
      'sharp',
      'typescript',
      'vitest',
    ],
    // Bundled CommonJS libraries call `require` for Node's modules.
    banner: {
      js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
    },
    sourcemap: true,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  // Node parses the certificates of NODE_EXTRA_CA_CERTS at every start, which can take longer than the start itself.
  // Campaigns start thousands of processes, and benchmarks compare commands with the start of Node.
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const options = { cwd: root, env, stdio: 'inherit' };
  const { status } = spawnSync(process.execPath, [resolve(out, 'main.mjs'), ...args], options);
  return status ?? 1;
}
