import type { Candidate, CompletionRequest } from '@holdfast/cli';
import { configuration } from '../adapters/configuration.ts';
import { countTags } from '../service/count-tags.ts';
import { openUtask } from '../service/open-utask.ts';

/** The tags there are, with how many tasks have them; after a comma, another one. */
export async function complete({ typed, env }: CompletionRequest): Promise<readonly Candidate[]> {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const utask = await openUtask(configuration({}, env));
  try {
    return (await countTags(utask)).map(({ tag, open, done }) => ({
      value: before + tag,
      summary: `${open} open, ${done} done`,
    }));
  } finally {
    await utask.close({ processIsEnding: true });
  }
}
