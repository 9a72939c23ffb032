import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';

import type { Filters } from '../../lib/search.ts';

/** Comes in by whatever `enter` does, and goes to where the person wanted to go. */
export function useEntry(enter: () => Promise<unknown>): UseMutationResult<void, Error, void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { next }: Filters = useSearch({ strict: false });
  return useMutation({
    mutationFn: async () => {
      await enter();
      client.clear();
      await navigate({ href: safePath(next), replace: true });
    },
  });
}

/** A path of this site: an address that was slipped in must not lead away from it. */
function safePath(next: string | undefined): string {
  const isOurs = next !== undefined && /^\/(?![/\\])/.test(next) && !next.startsWith('/sign-in');
  return isOurs ? next : '/';
}
