import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { PlantedBug } from './bugs.ts';

// Tests and campaigns run in the root of the repository. This file's own path does not help, because a campaign's code
// is bundled into another folder.
const root = process.cwd();
const copied = ['packages', 'package.json', 'tsconfig.json', 'vitest.config.ts', 'scripts/runner/seeded-fast-check.ts'];

/**
 * Copies the sources with the bug in them. Child processes of tests run the copy too: in its node_modules, `@holdfast`
 * links to the copy, and everything else links to the original. Copies only the applications that the bug concerns,
 * unless `withApps` is true.
 */
export function plant(bug: PlantedBug | undefined, folder: string, { withApps = false } = {}): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'node_modules', '@holdfast'), { recursive: true });
  const apps = [bug?.file, bug?.caughtBy].flatMap((path) => /^apps\/[^/]+/.exec(path ?? '') ?? []);
  for (const name of new Set([...copied, ...(withApps ? ['apps'] : apps)])) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  }
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '@holdfast' && name !== '.vite')
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const kind of withApps ? ['packages', 'apps'] : ['packages']) {
    for (const name of readdirSync(join(folder, kind))) {
      symlinkSync(join(folder, kind, name), join(folder, 'node_modules', '@holdfast', name));
    }
  }
  if (bug !== undefined) writeBug(bug, folder);
}

function writeBug({ name, file, original, planted }: PlantedBug, folder: string): void {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(original).length !== 2) {
    throw new Error(`"${name}" cannot be planted: its original text must occur exactly once in ${file}`);
  }
  writeFileSync(
    path,
    source.replace(original, () => planted),
  );
}

export interface TestRun {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs one test file in the copy. */
export function runTests(folder: string, lane: string, file: string): Promise<TestRun> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', lane, '--testTimeout=10000', '--bail=1', file], {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', VITEST: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ passed: code === 0, output }));
  });
}

function isSource(path: string): boolean {
  return !/\/(node_modules|dist)$/.test(path);
}

/** Returns a folder inside the repository, so that imports resolve as usual. */
export function copyFolder(name: string): string {
  return join(root, '.cache', 'planted', name.replaceAll(/[^a-z0-9]+/gi, '-'));
}
