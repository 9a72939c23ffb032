import { type Configuration, configuration, type ConnectionFlags } from '../adapters/configuration.ts';
import { openStore } from '../service/open-store.ts';
import type { Store } from '../store/store.ts';

export interface StoreContext {
  readonly options: ConnectionFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens the task list for one command. */
export async function withStore<T>(
  context: StoreContext,
  body: (store: Store, config: Configuration) => Promise<T>,
): Promise<T> {
  const config = configuration(context.options, context.env);
  const store = await openStore(config);
  try {
    return await body(store, config);
  } finally {
    await store.close({ processIsEnding: true });
  }
}
