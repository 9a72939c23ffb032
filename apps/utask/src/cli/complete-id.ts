import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { configuration } from '../adapters/configuration.ts';
import { shortId } from '../model/id.ts';
import { openStore } from '../service/open-store.ts';

export async function complete({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  const store = await openStore(configuration({}, env));
  try {
    return (await store.all()).map(({ id, text }) => ({ value: shortId(id), summary: text }));
  } finally {
    await store.close({ processIsEnding: true });
  }
}
