import type { Candidate, CompletionRequest } from '@holdfast/cli';

import { existingDatabases } from './databases.ts';

export function complete({ env }: CompletionRequest): Candidate[] {
  return existingDatabases(env).flatMap(({ name, path }) =>
    name === undefined ? [] : [{ value: name, summary: path }],
  );
}
