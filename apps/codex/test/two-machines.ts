import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { addRemote, syncNotebook } from '../src/service/remotes.ts';
import { openHarness, type Harness, type HarnessOptions } from './harness.ts';

export function bareRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-remote-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder]);
  return folder;
}

export interface Machine extends Harness {
  readonly sync: () => ReturnType<typeof syncNotebook>;
}

/** Opens a data home with one notebook whose remote is the bare repository. */
export async function openMachine(remote: string, options: HarnessOptions = {}): Promise<Machine> {
  const harness = await openHarness({ ...options, settings: { sync_interval: 0, ...options.settings } });
  await addRemote(harness.codex, { name: 'origin', url: remote, allow_path: true });
  return { ...harness, sync: () => syncNotebook(harness.codex, {}) };
}
