import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { configuration } from '../adapters/configuration.ts';
import { shortId } from '../model/id.ts';
import { openUtask } from '../service/open-utask.ts';

export async function complete({ env }: CompletionRequest): Promise<readonly Candidate[]> {
  const utask = await openUtask(configuration({}, env));
  try {
    return (await utask.all()).map(({ id, text }) => ({ value: shortId(id), summary: text }));
  } finally {
    await utask.close({ processIsEnding: true });
  }
}
