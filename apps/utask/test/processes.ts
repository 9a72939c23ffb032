import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { build } from 'esbuild';

/**
 * Bundled once, into a folder of its own that the caller removes: starting sixteen processes through a loader of
 * TypeScript would take longer than the test.
 */
export async function bundledProgram(name: string): Promise<string> {
  const root = resolve(import.meta.dirname, '../../..');
  // Within the workspace, so that the database driver is found from there.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/utask-program-'));
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'programs', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['holdfast-source'],
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire('${root}/package.json');`,
    },
    external: ['@photostructure/sqlite'],
    logLevel: 'error',
  });
  return outfile;
}

export interface Finished {
  readonly lines: readonly string[];
  readonly signal: NodeJS.Signals | null;
  readonly errors: string;
}

/** Runs a program to its end; `killAfterMs` ends it at any moment before. */
export function runProgram(file: string, args: readonly string[], killAfterMs?: number): Promise<Finished> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const lines: string[] = [];
    let errors = '';
    let timer: NodeJS.Timeout | undefined;
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line === 'ready' && killAfterMs !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.once('close', (_, signal) => {
      clearTimeout(timer);
      done({ lines, signal, errors });
    });
  });
}
