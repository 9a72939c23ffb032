import { type Configuration, configuration, type ConnectionFlags } from '../adapters/configuration.ts';
import { shortId } from '../model/id.ts';
import { openUtask } from '../service/open-utask.ts';
import type { Utask } from '../service/utask.ts';

export interface UtaskContext {
  readonly options: ConnectionFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
}

/** Opens the task list for one command. */
export async function withUtask<T>(
  context: UtaskContext,
  body: (utask: Utask, config: Configuration) => Promise<T>,
): Promise<T> {
  const config = configuration(context.options, context.env);
  const unreadable = new Set<string>();
  const utask = await openUtask(config, { onUnreadable: (key) => void unreadable.add(key) });
  try {
    return await body(utask, config);
  } finally {
    for (const key of unreadable) {
      context.note(`Left out: the value under ${shortId(key)} is no task. 'ut check' lists such, 'ut rm' removes one.`);
    }
    await utask.close({ processIsEnding: true });
  }
}
