import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { readKeyFile } from '../adapters/key-file.ts';
import { sortKey } from '../model/normalize.ts';
import { openCatalogue } from '../service/catalogue.ts';
import { books } from '../store/definitions.ts';
import { databasePath, keyPath } from './with-library.ts';

const LIMIT = 50;

/** Titles that begin with what was typed, in the order of the shelf. */
export async function complete({ env, typed }: CompletionRequest): Promise<Candidate[]> {
  const { store } = await openCatalogue({
    path: databasePath(env),
    create: false,
    secret: () => readKeyFile(keyPath(env)),
  });
  try {
    const start = typed === '' ? {} : { start: sortKey(typed).trim() };
    const found = await store.list(books.by.sortTitle, {}, { limit: LIMIT, ...start });
    return found.map(({ title, authors }) => ({ value: title, summary: authors[0]?.name ?? '' }));
  } finally {
    await store.close({ processIsEnding: true });
  }
}
