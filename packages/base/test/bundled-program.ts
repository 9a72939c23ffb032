import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { buildSync } from 'esbuild';

const folder = resolve(import.meta.dirname, '../../../.cache/test-programs');
const bundles = new Map<string, string>();

/**
 * A program of the tests as one file that Node runs at once. From source every start would compile it and all it stands
 * on, and crash tests start hundreds.
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
    // What has a native part, or asks where it lies, stays where it is.
    external: ['@photostructure/sqlite', '@node-rs/argon2', 'chokidar', 'node-taglib-sharp', 'sharp', '@nats-io/*'],
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
    // Named by what is in it, and put there whole: several processes may make the same one.
    const own = `${path}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, path);
  }
  bundles.set(file, path);
  return path;
}
