import type { UseMutationResult } from '@tanstack/react-query';

import { booksApi } from '../../../api/clients.ts';
import { useAction } from '../../../api/use-action.ts';
import { randomKey } from '../../../lib/random-key.ts';

export async function startScan(library: string): Promise<void> {
  await booksApi.POST('/operations/scan', { body: { library }, idempotencyKey: randomKey() });
}

export function useScan(library: string): UseMutationResult<void, Error, void> {
  return useAction<void, void>({
    failed: 'Could not start the scan',
    touches: ['audiobooks'],
    run: () => startScan(library),
  });
}
