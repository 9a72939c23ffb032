import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { workspaceAt } from '../../apps/ringmaster/src/adapters/workspace.ts';
import { defaultConfig } from '../../apps/ringmaster/src/model/config.ts';
import { addProject } from '../../apps/ringmaster/src/service/projects.ts';
import { openRingmaster, type Ringmaster } from '../../apps/ringmaster/src/service/ringmaster.ts';
import { addWorker } from '../../apps/ringmaster/src/service/workers.ts';
import { insertTask } from '../../apps/ringmaster/src/store/tasks.ts';

export function openAt(root: string): Promise<Ringmaster> {
  return openRingmaster({
    workspace: workspaceAt(root, defaultConfig),
    clock: Date.now,
    random: Math.random,
    actor: { type: 'system', id: 'bench' },
    create: true,
  });
}

export async function prepare(root: string, tasks: number, links: Links, workers: number): Promise<Ringmaster> {
  const rm = await openAt(root);
  await addProject(rm, { name: 'bench', id: 'bench' });
  for (let n = 0; n < workers; n++) {
    await addWorker(rm, { worker: `w${n}`, type: 'custom', command: 'none', max_concurrent: 1_000_000 });
  }
  await rm.store.write('tasks', (tx) => {
    for (let n = 0; n < tasks; n++) {
      const score = ((n * 7919) % tasks) / tasks;
      insertTask(tx, {
        id: `bd-${n}`,
        project_id: 'bench',
        type: 'task',
        title: `Task ${n}`,
        status: 'ready',
        combined_priority: score,
      });
    }
    tx.run(`UPDATE ringmaster_meta SET value = 'off' WHERE key = 'cycle_check'`);
    for (const [child, parent] of links) {
      tx.run('INSERT INTO dependencies (child_id, parent_id) VALUES (?, ?)', `bd-${child}`, `bd-${parent}`);
    }
    tx.run(`UPDATE ringmaster_meta SET value = 'on' WHERE key = 'cycle_check'`);
  });
  return rm;
}

export function makeRepository(root: string): void {
  mkdirSync(root, { recursive: true });
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: root });
  git('init', '-q', '-b', 'main');
  for (let n = 0; n < 50; n++) writeFileSync(join(root, `file-${n}.txt`), `content ${n}\n`.repeat(20));
  git('add', '.');
  git('commit', '-qm', 'first');
}

/** Creates a repository with ready tasks and one worker, for the built `ringmaster run`. */
export async function prepareRun(root: string, tasks: number, worker: string, settings = ''): Promise<void> {
  makeRepository(root);
  const rm = await prepare(root, tasks, [], 0);
  await rm.store.close();
  const toml = `[storage]\nbackup_enabled = false\n${settings}[[workers]]\nname = "w"\ntype = "custom"\n${worker}\n`;
  writeFileSync(join(root, 'ringmaster.toml'), toml);
}

export type Links = readonly (readonly [child: number, parent: number])[];

/** A uniform acyclic graph: a task depends only on tasks with a lower number. */
export function randomLinks(tasks: number, count: number): Links {
  let state = 42;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  const seen = new Set<number>();
  const links: (readonly [number, number])[] = [];
  while (links.length < count) {
    const child = 1 + random(tasks - 1);
    const parent = random(child);
    const key = child * tasks + parent;
    if (seen.has(key)) continue;
    seen.add(key);
    links.push([child, parent]);
  }
  return links;
}
