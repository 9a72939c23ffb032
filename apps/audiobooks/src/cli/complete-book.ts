import { holdfastHome } from '@holdfast/base';
import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { sortKey } from '../model/normalize.ts';
import { openAudiobooks, storeLocation } from '../service/audiobooks.ts';
import { books } from '../store/definitions.ts';

const LIMIT = 50;

/** Titles that begin with what was typed, in the order of the shelf. */
export async function complete({ env, typed }: CompletionRequest): Promise<Candidate[]> {
  const { store } = await openAudiobooks({ ...storeLocation(holdfastHome(env), env), create: false });
  try {
    const start = typed === '' ? {} : { start: sortKey(typed).trim() };
    const found = await store.list(books.by.sortTitle, {}, { limit: LIMIT, ...start });
    return found.map(({ title, authors }) => ({ value: title, summary: authors[0]?.name ?? '' }));
  } finally {
    await store.close({ processIsEnding: true });
  }
}
