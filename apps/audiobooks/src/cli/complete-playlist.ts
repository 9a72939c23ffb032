import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { readKeyFile } from '../adapters/key-file.ts';
import { openCatalogue } from '../service/catalogue.ts';
import { playlists } from '../store/definitions.ts';
import { databasePath, keyPath } from './with-library.ts';

const LIMIT = 500;

/** Names of playlists; the shell keeps those that begin with what was typed. */
export async function complete({ env }: CompletionRequest): Promise<Candidate[]> {
  const { store } = await openCatalogue({
    path: databasePath(env),
    create: false,
    secret: () => readKeyFile(keyPath(env)),
  });
  try {
    const found = await store.list(playlists, {}, { limit: LIMIT });
    return found.map(({ name, kind }) => ({
      value: name,
      summary: kind === 'smart' ? 'by a question' : 'in an order',
    }));
  } finally {
    await store.close({ processIsEnding: true });
  }
}
