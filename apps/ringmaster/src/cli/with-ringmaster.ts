import { join } from 'node:path';

import { systemClock } from '../adapters/clock.ts';
import { loadConfig } from '../adapters/config-file.ts';
import { findRoot, workspaceAt } from '../adapters/workspace.ts';
import { systemRandom } from '../adapters/random.ts';
import type { Actor } from '../store/events.ts';
import { chosenProject } from '../store/projects.ts';
import { openRingmaster, type Ringmaster } from '../service/ringmaster.ts';

export interface RingmasterContext {
  readonly options: {
    readonly dir?: string | undefined;
    readonly project?: string | undefined;
    readonly actor?: string | undefined;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens the database of the project around us for one command. */
export async function withRingmaster<T>(
  context: RingmasterContext,
  body: (rm: Ringmaster) => Promise<T>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  const given = context.options.dir ?? process.cwd();
  const root = create ? given : findRoot(given);
  const config = await loadConfig(join(root, 'ringmaster.toml'));
  const rm = await openRingmaster({
    workspace: workspaceAt(root, config),
    config,
    clock: systemClock,
    random: systemRandom,
    actor: actorOf(context),
    create,
    processIsEnding: true,
  });
  try {
    if (config.workers.length > 0) await (await import('../service/workers.ts')).syncWorkers(rm);
    // A misspelt project must not look like one in which there is nothing to do.
    if (context.options.project !== undefined && !create) chosenProject(rm.store.reader, context.options.project);
    return await body(rm);
  } finally {
    await rm.store.close();
  }
}

function actorOf({ options, env }: RingmasterContext): Actor {
  return { type: 'person', id: options.actor ?? env['USER'] ?? env['LOGNAME'] ?? 'unknown' };
}
