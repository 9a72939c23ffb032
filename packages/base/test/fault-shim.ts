import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, 'fault-shim.c');
const cache = join(import.meta.dirname, '../../../.cache/fault-shim');

/** Returns the path of the compiled shim for LD_PRELOAD. Compiles each version of the source once. */
export function faultShim(): string {
  const version = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16);
  const library = join(cache, `${version}.so`);
  if (existsSync(library)) return library;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${library}.${process.pid}`;
  const { status, error, stderr } = spawnSync(
    process.env['CC'] ?? 'gcc',
    ['-shared', '-fPIC', '-O2', '-Wall', '-Werror', '-o', unfinished, source, '-ldl', '-pthread'],
    { encoding: 'utf8' },
  );
  if (status !== 0) {
    const reason = error?.message ?? stderr;
    throw new Error(`The fault shim cannot be compiled; \`npm run provision -- gcc\` gets the compiler.\n${reason}`);
  }
  // Several test files may compile it at once, so only a complete file gets the final name.
  renameSync(unfinished, library);
  return library;
}
