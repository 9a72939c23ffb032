import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { buildSync } from 'esbuild';

const folder = resolve(import.meta.dirname, '../../../.cache/test-programs');
const bundles = new Map<string, string>();

/**
 * Bundles a test program into one file that Node starts quickly. Compiling the source and its dependencies at each
 * start would be too slow, because crash tests start hundreds of processes.
 */
export function bundledProgram(file: string): string {
  const known = bundles.get(file);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [file],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['holdfast-source'],
    // These packages have native code or load files from their own folder, so they cannot be bundled.
    external: ['@photostructure/sqlite', '@node-rs/*', 'chokidar', 'node-taglib-sharp', 'sharp', '@nats-io/*'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  const code = outputFiles[0]?.contents ?? new Uint8Array();
  const hash = createHash('sha256').update(code).digest('hex').slice(0, 16);
  const path = join(folder, `${basename(file, '.ts')}-${hash}.mjs`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    // Several processes may write the same bundle, so each writes its own copy and renames it when complete.
    const own = `${path}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, path);
  }
  bundles.set(file, path);
  return path;
}
