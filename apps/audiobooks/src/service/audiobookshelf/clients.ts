import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { makeKeyFile, readKeyFile } from '../../adapters/secrets.ts';
import { ClientIds } from '../../model/audiobookshelf/ids.ts';
import { clientSettings } from '../../store/definitions.ts';
import type { Audiobooks } from '../audiobooks.ts';

/** Access for apps that were made for Audiobookshelf. It is disabled until an administrator enables it. */

/** Base path of the API for these apps. */
export const CLIENTS_PATH = '/audiobookshelf';

export async function showClients({ store }: Audiobooks) {
  const settings = await store.get(clientSettings, {});
  return { enabled: settings?.enabled === true, path: CLIENTS_PATH };
}

export function enableClients(audiobooks: Audiobooks) {
  return setClients(audiobooks, true);
}

/** Disables client access. Keeps the id key, so that clients find their books after access is enabled again. */
export function disableClients(audiobooks: Audiobooks) {
  return setClients(audiobooks, false);
}

async function setClients(audiobooks: Audiobooks, enabled: boolean) {
  const key = randomBytes(16).toString('hex');
  await audiobooks.store.transact(async (tx) => {
    const settings = await tx.get(clientSettings, {});
    await tx.put(clientSettings, {}, { id_key: settings?.id_key ?? key, enabled, version: 1 });
  });
  return showClients(audiobooks);
}

/** Dependencies of every client request. */
export interface Clients {
  readonly audiobooks: Audiobooks;
  /** Returns undefined while client access is disabled. */
  readonly ids: () => Promise<ClientIds | undefined>;
  /**
   * Returns the key that signs tokens. It is in a file and not in the database, because exports contain the database.
   */
  readonly tokenKey: () => Uint8Array;
}

export function openClients(audiobooks: Audiobooks): Clients {
  let known: { readonly key: string; readonly ids: ClientIds } | undefined;
  let tokenKey: Uint8Array | undefined;
  const keyPath = join(audiobooks.home, 'keys', 'audiobookshelf.key');
  return {
    audiobooks,
    async ids() {
      const settings = await audiobooks.store.get(clientSettings, {});
      if (settings?.enabled !== true) return undefined;
      if (known?.key !== settings.id_key) known = { key: settings.id_key, ids: new ClientIds(settings.id_key) };
      return known.ids;
    },
    tokenKey: () => (tokenKey ??= readKeyFile(keyPath) ?? makeKeyFile(keyPath)),
  };
}
