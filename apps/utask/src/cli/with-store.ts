import { type Configuration, configuration, type ConnectionFlags } from '../adapters/configuration.ts';
import { shortId } from '../model/id.ts';
import { openStore } from '../service/open-store.ts';
import type { Store } from '../store/store.ts';

export interface StoreContext {
  readonly options: ConnectionFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
}

/** Opens the task list for one command. */
export async function withStore<T>(
  context: StoreContext,
  body: (store: Store, config: Configuration) => Promise<T>,
): Promise<T> {
  const config = configuration(context.options, context.env);
  const unreadable = new Set<string>();
  const store = await openStore(config, { onUnreadable: (key) => void unreadable.add(key) });
  try {
    return await body(store, config);
  } finally {
    for (const key of unreadable) {
      context.note(`Left out: the value under ${shortId(key)} is no task. 'ut check' lists such, 'ut rm' removes one.`);
    }
    await store.close({ processIsEnding: true });
  }
}
