import { SECOND } from '@holdfast/base';

import { claim, type Claimed, type ClaimInput } from './claim.ts';
import { reapExpired } from './reap.ts';
import { refreshRanks } from './refresh-ranks.ts';
import type { Ringmaster } from './ringmaster.ts';

const RANKS_AGE_MAX = 10 * SECOND;

/** Reclaims lost tasks and refreshes ranks first, so that workers can do without running maintenance. */
export async function claimNext(rm: Ringmaster, input: ClaimInput): Promise<Claimed | undefined> {
  await reapExpired(rm);
  await refreshRanks(rm, { olderThanMs: RANKS_AGE_MAX });
  return claim(rm, input);
}
