import { join } from 'node:path';
import { holdfastHome } from '@holdfast/base';
import { readKeyFile } from '../adapters/key-file.ts';
import { type AppEngines, engines } from '../engines.ts';
import { type Catalogue, openCatalogue } from '../service/catalogue.ts';
import { recoverOperations } from '../service/operations/recover-operations.ts';
import { recoverersFor } from '../service/recoverers.ts';
import { openOperations } from '../store/operations.ts';
import { openSearchIndex, type SearchIndex } from '../store/search/database.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface LibraryContext {
  readonly env: Environment;
}

/** Opens the library for one command. Whatever a process that died left unfinished is settled first. */
export async function withLibrary<T>(
  { env }: LibraryContext,
  body: (catalogue: Catalogue, engines: AppEngines) => Promise<T>,
): Promise<T> {
  const catalogue = await openCatalogue({ path: databasePath(env), secret: () => readKeyFile(keyPath(env)) });
  try {
    if ((await openOperations(catalogue.store)).length > 0) {
      await recoverOperations(catalogue, recoverersFor(catalogue, engines));
    }
    return await body(catalogue, engines);
  } finally {
    await catalogue.store.close({ processIsEnding: true });
  }
}

export async function withSearch<T>({ env }: LibraryContext, body: (search: SearchIndex) => Promise<T>): Promise<T> {
  const search = await openSearchIndex(join(holdfastHome(env), 'audiobooks-search.db'));
  try {
    return await body(search);
  } finally {
    await search.database.close({ processIsEnding: true });
  }
}

export function databasePath(env: Environment): string {
  return join(holdfastHome(env), 'audiobooks.db');
}

/** Outside of the data folder when it is named, so that a copy of one is useless without the other. */
export function keyPath(env: Environment): string {
  return env['HOLDFAST_AUDIOBOOKS_KEY_FILE'] ?? join(holdfastHome(env), 'keys', 'audiobooks.key');
}

/** Who is at the keyboard, for the record. */
export function personOf(env: Environment): string {
  return env['USER'] ?? env['LOGNAME'] ?? 'command';
}
