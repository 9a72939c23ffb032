import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import { workspaceAt } from '../src/adapters/workspace.ts';
import { type Config, defaultConfig } from '../src/model/config.ts';
import { addProject } from '../src/service/projects.ts';
import { openRingmaster, type Ringmaster } from '../src/service/ringmaster.ts';
import { addWorker } from '../src/service/workers.ts';

const folders: string[] = [];
const opened: Ringmaster[] = [];

afterAll(async () => {
  await Promise.all(opened.splice(0).map(({ store }) => store.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringmaster-'));
  folders.push(folder);
  return folder;
}

export interface TestClock {
  readonly now: () => number;
  readonly advance: (milliseconds: number) => void;
}

export function testClock(start = Date.parse('2026-11-15T10:00:00Z')): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

/** Opens a ringmaster in its own folder, on a real database, with the real clock by default. */
export async function openTest(
  options: { readonly clock?: TestClock; readonly config?: Partial<Config>; readonly root?: string } = {},
): Promise<Ringmaster> {
  const config = { ...defaultConfig, ...options.config };
  const rm = await openRingmaster({
    workspace: workspaceAt(options.root ?? temporaryFolder(), config),
    config,
    clock: options.clock?.now ?? Date.now,
    random: Math.random,
    actor: { type: 'person', id: 'tester' },
    create: true,
  });
  opened.push(rm);
  return rm;
}

/** Like `openTest`, with a project and a worker. */
export async function openWithProject(options: Parameters<typeof openTest>[0] = {}): Promise<Ringmaster> {
  const rm = await openTest(options);
  await addProject(rm, { name: 'Circus', id: 'circus' });
  await addWorker(rm, { worker: 'w1', type: 'claude-code', command: '/bin/true' });
  return rm;
}
