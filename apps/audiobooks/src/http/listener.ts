import type { Principal } from '@holdfast/http';

import type { Audiobooks } from '../service/audiobooks.ts';
import type { Listener } from '../service/listening/listener.ts';
import { callerOf } from './caller.ts';

/** Who listens. A book that was taken off the lists is still there for those who are in the middle of it. */
export async function listenerOf(
  app: Audiobooks,
  input: { readonly principal: Principal },
): Promise<Listener & { readonly mayEdit: boolean }> {
  const caller = await callerOf(app, input);
  return {
    userId: caller.userId,
    sees: ({ library_id: library }) => caller.sees(library),
    mayEdit: caller.can.edit,
  };
}
