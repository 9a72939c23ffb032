import { createClient } from '@holdfast/http/client';
import type { AudiobookRoutes } from '@holdfast/hub';

/** Apart from the other clients, so that it comes with its own pages. */
export const audiobooksApi = createClient<AudiobookRoutes>('/api/audiobooks');

interface FeedsClient {
  readonly GET: (path: string, input: object) => Promise<{ readonly data: never }>;
  readonly POST: FeedsClient['GET'];
  readonly DELETE: FeedsClient['GET'];
}
export const feedsApi = createClient<readonly []>('/api/audiobooks') as unknown as FeedsClient;
