import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { type Configuration, configuration } from '../adapters/configuration.ts';
import { LocalState } from '../adapters/files.ts';
import { shortId } from '../model/task.ts';
import { type HostMemory, hostOf, type UtaskHost } from '../service/undo.ts';
import { countTasks } from '../service/list-tasks.ts';
import { openUtask } from '../service/open-utask.ts';
import type { Utask } from '../service/utask.ts';
import type { UtaskContext } from './command.ts';

/** Opens the task list for one command. */
export function withUtask<T>(
  { options, env, note }: UtaskContext,
  use: (host: UtaskHost, config: Configuration) => Promise<T>,
): Promise<T> {
  const config = configuration(options, env);
  return withUtaskOf(config, note, (host) => use(host, config));
}

export async function withUtaskOf<T>(
  config: Configuration,
  note: UtaskContext['note'],
  use: (host: UtaskHost) => Promise<T>,
): Promise<T> {
  const unreadable = new Set<string>();
  const utask = await openUtask(config, { onUnreadable: (key) => void unreadable.add(key) });
  const memory: HostMemory = {
    undo: new LocalState('undo', config),
    unconfirmed: new LocalState('unconfirmed', config),
  };
  const host = hostOf(utask, memory, () =>
    note("This change could not be recorded in the data home, so 'ut undo' needs an id to undo it."),
  );
  try {
    return await use(host);
  } finally {
    for (const key of unreadable) {
      note(
        `Skipped: the value under ${shortId(key)} is not a task. 'ut check' lists such values, 'ut rm' removes one.`,
      );
    }
    await utask.close({ processIsEnding: true });
  }
}

export function completeId({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  return withCompletion(env, async (utask) =>
    (await utask.all()).map(({ id, text }) => ({ value: shortId(id), summary: text })),
  );
}

/** Completes the last tag of a comma-separated list. */
export function completeTag({ typed, env }: CompletionRequest): Promise<readonly Candidate[]> {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  return withCompletion(env, async (utask) =>
    (await countTasks({ utask })).tags.map(({ tag, open, done }) => ({
      value: before + tag,
      summary: `${open} open, ${done} done`,
    })),
  );
}

async function withCompletion(
  env: CompletionRequest['env'],
  list: (utask: Utask) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const utask = await openUtask(configuration({}, env));
  try {
    return await list(utask);
  } finally {
    await utask.close({ processIsEnding: true });
  }
}
