import { useQuery, type UseMutationResult } from '@tanstack/react-query';

import { rightsQuery } from '../../api/audiobooks-queries.ts';
import type { Rights } from '../../api/types.ts';
import { type Action, useAction } from '../../api/use-action.ts';

/** Returns an action that refetches all audiobook queries, because it may affect any of them. */
export function useBooksAction<Input = void, Output = unknown>(
  action: Omit<Action<Input, Output>, 'touches'>,
): UseMutationResult<Output, Error, Input> {
  return useAction<Input, Output>({ ...action, touches: ['audiobooks'] });
}

const noRights: Rights['can'] = { listen: false, edit: false, manage: false, download: false };

/** Returns the user's rights; all are denied until they are loaded. */
export function useRights(): Rights['can'] {
  return useQuery(rightsQuery).data?.can ?? noRights;
}
