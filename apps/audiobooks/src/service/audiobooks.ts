import { join } from 'node:path';
import { readKeyFile } from '../adapters/key-file.ts';
import { People } from '../store/accounts.ts';
import { openSearchIndex, type SearchIndex } from '../store/search/database.ts';
import { type Catalogue, openCatalogue } from './catalogue.ts';
import { Covers } from './covers.ts';
import type { Engines } from './engines.ts';
import { ListeningJobs } from './listening/jobs.ts';
import { Background } from './operations/background.ts';
import { recoverOperations } from './operations/recover-operations.ts';
import { recoverersFor } from './recoverers.ts';

/** Everything that a long-running process needs to serve a library. */
export interface Audiobooks {
  readonly home: string;
  readonly catalogue: Catalogue;
  readonly engines: Engines;
  readonly search: SearchIndex;
  readonly covers: Covers;
  readonly people: People;
  readonly background: Background;
  /** Aborts when it is about to be closed: whoever reads on and on ends here. */
  readonly closing: AbortSignal;
  readonly listening: ListeningJobs;
  close(): Promise<void>;
}

export interface AudiobooksOptions {
  readonly home: string;
  readonly engines: Engines;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told of what goes wrong in work that nobody waits for. */
  readonly onProblem: (error: unknown) => void;
}

export async function openAudiobooks({ home, engines, env, onProblem }: AudiobooksOptions): Promise<Audiobooks> {
  const keyPath = env['HOLDFAST_AUDIOBOOKS_KEY_FILE'] ?? join(home, 'keys', 'audiobooks.key');
  const catalogue = await openCatalogue({
    path: join(home, 'audiobooks.db'),
    secret: () => readKeyFile(keyPath),
  });
  const search = await openSearchIndex(join(home, 'audiobooks-search.db')).catch(async (error: unknown) => {
    await catalogue.store.close();
    throw error;
  });
  const people = new People(join(home, 'accounts.db'));
  const closing = new AbortController();
  const background = new Background(onProblem);
  // Whatever a process that died left unfinished; the others need not wait for it.
  background.follow((signal) => recoverOperations(catalogue, recoverersFor(catalogue, engines), signal));
  const listening = new ListeningJobs(catalogue, onProblem);
  return {
    home,
    catalogue,
    engines,
    search,
    covers: new Covers(catalogue, home),
    people,
    background,
    closing: closing.signal,
    listening,
    async close() {
      closing.abort();
      await background.close();
      await listening.close();
      await people.close();
      await search.database.close();
      await catalogue.store.close();
    },
  };
}
