import { holdfastHome } from '@holdfast/base';
import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { openAudiobooks, storeLocation } from '../service/audiobooks.ts';
import { playlists } from '../store/definitions.ts';

const LIMIT = 500;

/** Names of playlists; the shell keeps those that begin with what was typed. */
export async function complete({ env }: CompletionRequest): Promise<Candidate[]> {
  const { store } = await openAudiobooks({ ...storeLocation(holdfastHome(env), env), create: false });
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
