import { join } from 'node:path';

import { type Accounts, openAccounts, openAccountsKeyspace, type UserView } from '@holdfast/accounts';
import { holdfastHome } from '@holdfast/base';
import { sqliteEngine } from '@holdfast/keyspace';

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens the accounts of this data home, beside a running server if there is one. */
export async function withAccounts<T>(env: Environment, body: (accounts: Accounts) => Promise<T>): Promise<T> {
  const engine = await sqliteEngine({ path: join(holdfastHome(env), 'accounts.db') });
  const keyspace = await openAccountsKeyspace(engine);
  const accounts = await openAccounts({ keyspace });
  try {
    return await body(accounts);
  } finally {
    await accounts.settled();
    await keyspace.close({ processIsEnding: true });
  }
}

const OWNER_NAME = 'owner';

/** The user of that name, or the owner, who is made if there is none yet. */
export async function userOrOwner(accounts: Accounts, name: string | undefined): Promise<UserView> {
  if (name !== undefined) return accounts.findUser(name);
  const { user } = await accounts.ensureOwner({ username: OWNER_NAME });
  return user;
}
