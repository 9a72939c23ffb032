import { join } from 'node:path';
import { readKeyFile } from '../adapters/key-file.ts';
import { openSearchIndex, type SearchIndex } from '../store/search/database.ts';
import { type Catalogue, openCatalogue } from './catalogue.ts';
import { Covers } from './covers.ts';
import type { Engines } from './engines.ts';

/** Everything that a long-running process needs to serve a library. */
export interface Audiobooks {
  readonly home: string;
  readonly catalogue: Catalogue;
  readonly engines: Engines;
  readonly search: SearchIndex;
  readonly covers: Covers;
  close(): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function openAudiobooks(home: string, engines: Engines, env: Environment): Promise<Audiobooks> {
  const keyPath = env['HOLDFAST_AUDIOBOOKS_KEY_FILE'] ?? join(home, 'keys', 'audiobooks.key');
  const catalogue = await openCatalogue({
    path: join(home, 'audiobooks.db'),
    secret: () => readKeyFile(keyPath),
  });
  const search = await openSearchIndex(join(home, 'audiobooks-search.db')).catch(async (error: unknown) => {
    await catalogue.store.close();
    throw error;
  });
  return {
    home,
    catalogue,
    engines,
    search,
    covers: new Covers(catalogue, home),
    async close() {
      await search.database.close();
      await catalogue.store.close();
    },
  };
}
