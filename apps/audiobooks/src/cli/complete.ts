import { holdfastHome } from '@holdfast/base';
import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { type Audiobooks, openAudiobooks, storeLocation } from '../service/audiobooks.ts';
import { completeBooks, completePlaylists } from '../service/queries/resolve.ts';

export function completeBook({ env, typed }: CompletionRequest): Promise<readonly Candidate[]> {
  return reading(env, async (audiobooks) =>
    (await completeBooks(audiobooks, typed)).map(({ title, authors }) => ({
      value: title,
      summary: authors[0]?.name ?? '',
    })),
  );
}

export function completePlaylist({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  return reading(env, async (audiobooks) =>
    (await completePlaylists(audiobooks)).map(({ name, kind }) => ({ value: name, summary: kind })),
  );
}

async function reading<T>(env: CompletionRequest['env'], read: (audiobooks: Audiobooks) => Promise<T>): Promise<T> {
  const audiobooks = await openAudiobooks({ ...storeLocation(holdfastHome(env), env), create: false });
  try {
    return await read(audiobooks);
  } finally {
    await audiobooks.close({ processIsEnding: true });
  }
}
