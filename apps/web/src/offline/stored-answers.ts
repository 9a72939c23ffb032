import { delay } from '@holdfast/base/time';

import { queryClient } from '../api/query-client.ts';
import { isReachable } from '../lib/is-reachable.ts';
import { createStore } from '../lib/store.ts';
import { STORED_HEADER } from './names.ts';

const RETRY_MS = 3_000;

/** Whether pages show stored answers because the server is unreachable. */
export const showsStoredAnswers = createStore(false);

/** Like `fetch`, but notices answers that come from the service worker instead of the server. */
export const fetchNoticing: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.headers.has(STORED_HEADER)) void refreshLater();
  return response;
};

/** Refetches everything when the server responds again. */
async function refreshLater(): Promise<void> {
  if (showsStoredAnswers.get()) return;
  showsStoredAnswers.set(true);
  do {
    await delay(RETRY_MS);
  } while (!(await isReachable()));
  showsStoredAnswers.set(false);
  await queryClient.invalidateQueries();
}
