import type { Reads } from '@holdfast/keyspace';
import { DEFAULT_RIGHTS, type Rights } from '../model/rights.ts';
import { rights } from '../store/definitions.ts';

/** The rights of a user; those of everybody when none were set. */
export async function rightsOf(reads: Reads, userId: string): Promise<Pick<Rights, 'libraries' | 'edit' | 'download'>> {
  return (await reads.get(rights, { user_id: userId })) ?? DEFAULT_RIGHTS;
}
