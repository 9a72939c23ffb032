import type { Caller } from '@holdfast/operation';

import type { Accounts } from '../accounts.ts';

/** Actor in the audit log for changes made on the command line. */
const COMMAND_LINE = 'cli';
const OWNER_NAME = 'owner';

export function actorOf({ userId }: Caller): string {
  return userId ?? COMMAND_LINE;
}

/**
 * Returns the id of the named user. Without a name, returns the id of the caller. A caller on the command line has no
 * id, so there it returns the id of the owner, and creates the owner if needed.
 */
export async function subjectOf(accounts: Accounts, name: string | undefined, { userId }: Caller): Promise<string> {
  if (name !== undefined) return (await accounts.findUser(name)).id;
  return userId ?? (await accounts.ensureOwner({ username: OWNER_NAME })).user.id;
}
