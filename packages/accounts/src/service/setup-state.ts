import type { Reads } from '@holdfast/keyspace';

import type { User } from '../model/user.ts';
import { ownerId } from '../store/meta.ts';
import { credentials, users } from '../store/users.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * What a first start has to do. `no_password` is an owner that the command line made (`holdfast token create`): the link
 * gives them a password, and their tokens go on working.
 */
export type SetupState = 'no_owner' | 'no_password' | 'done';

export async function setupState({ keyspace }: Dependencies): Promise<SetupState> {
  const { state } = await readSetup(keyspace);
  return state;
}

export async function readSetup(
  reads: Reads,
): Promise<{ readonly state: SetupState; readonly owner: User | undefined }> {
  const id = await reads.get(ownerId, {});
  if (id === undefined) return { state: 'no_owner', owner: undefined };
  const owner = await reads.get(users, { id });
  // An owner who was deleted had to leave another administrator behind: the door stays shut.
  if (owner === undefined || owner.status !== 'active') return { state: 'done', owner };
  const credential = await reads.get(credentials, { id });
  return { state: credential === undefined ? 'no_password' : 'done', owner };
}
