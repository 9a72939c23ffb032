import type { UseMutationResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { authApi } from '../api/clients.ts';
import { queryClient } from '../api/query-client.ts';
import { useAction } from '../api/use-action.ts';
import { closePlayerBeforeSignOut } from '../player/player.ts';

export function useSignOut(): UseMutationResult<void, Error, void> {
  const navigate = useNavigate();
  return useAction<void, void>({
    failed: 'Could not sign out',
    run: async () => {
      await closePlayerBeforeSignOut();
      await authApi.POST('/logout');
      await navigate({ to: '/sign-in' });
      // Clears everything for the next user.
      queryClient.clear();
    },
  });
}
