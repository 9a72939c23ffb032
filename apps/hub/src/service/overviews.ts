import { delay, SECOND } from '@holdfast/base';
import type { Caller, Overview } from '@holdfast/operation';

import type { Everything } from '../operations/overview.ts';

/**
 * Maximum wait for an application. An application that takes longer, for example because its server is unreachable, is
 * left out.
 */
const WAIT_MS = 2 * SECOND;

interface Asked<Item> {
  readonly items: readonly Item[];
  /** Applications that failed or took too long. */
  readonly unavailable: readonly string[];
}

/** Asks every application that the caller may read. On the command line, the caller may read all applications. */
export async function askAll<Item>(
  { overviews }: Everything,
  { permissions }: Caller,
  ask: (overview: Overview) => Promise<readonly Item[]>,
): Promise<Asked<Item>> {
  const allowed = [...overviews].filter(([name]) => permissions?.includes(`app:${name}:read`) ?? true);
  const unavailable: string[] = [];
  const answers = allowed.map(async ([name, overview]) => {
    const isOver = new AbortController();
    const tooLate = delay(WAIT_MS, isOver.signal).then(() => undefined);
    const answer = await Promise.race([ask(overview).catch(() => undefined), tooLate]);
    isOver.abort();
    if (answer === undefined) unavailable.push(name);
    return answer ?? [];
  });
  return { items: (await Promise.all(answers)).flat(), unavailable };
}
