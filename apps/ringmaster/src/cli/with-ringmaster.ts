import type { Candidate, CommandContext, CompletionRequest } from '@holdfast/cli';

import { showProject } from '../service/projects.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import { listTasks } from '../service/tasks.ts';
import { openWorkspace } from '../service/workspaces.ts';

export interface RingmasterContext {
  readonly options: {
    readonly dir?: string | undefined;
    readonly project?: string | undefined;
    readonly actor?: string | undefined;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Context<Args, Options> = CommandContext<{
  readonly args: Args;
  readonly options: RingmasterContext['options'] & Options;
}>;

/** Opens the workspace around the current directory for one command. */
export async function withRingmaster<T>(
  context: RingmasterContext,
  body: (rm: Ringmaster) => Promise<T>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  const { options, env } = context;
  // An explicit name wins over a token from the environment.
  const token = options.actor === undefined ? Number(env['RINGMASTER_TOKEN']) || undefined : undefined;
  const rm = await openWorkspace(options.dir ?? process.cwd(), { actor: actorOf(context), token, create });
  try {
    // Reports a misspelt project, which would otherwise look like a project without work.
    if (context.options.project !== undefined && !create) showProject(rm, context.options);
    return await body(rm);
  } finally {
    await rm.store.close();
  }
}

function actorOf({ options, env }: RingmasterContext): Ringmaster['actor'] {
  return { type: 'person', id: options.actor ?? env['USER'] ?? env['LOGNAME'] ?? 'unknown' };
}

const COMPLETED_TASKS = 1_000;

export function complete({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  return withRingmaster({ options: {}, env }, async (rm) => {
    const { data } = await listTasks(rm, {
      limit: COMPLETED_TASKS,
      state: 'all',
      search: '',
      labels: [],
      archived: false,
    });
    return data.map(({ id, title }) => ({ value: id, summary: title }));
  });
}
