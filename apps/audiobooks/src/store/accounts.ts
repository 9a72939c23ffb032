import { type Accounts, covers, openAccounts, openAccountsKeyspace, type UserView } from '@holdfast/accounts';
import { isHoldfastError } from '@holdfast/base';
import { type Keyspace, type Page, sqliteEngine } from '@holdfast/keyspace';

export interface Access {
  readonly reads: boolean;
  readonly manages: boolean;
}

/**
 * Reads accounts outside of requests: whether the owner of a feed may still listen, and which accounts exist. Opens the
 * accounts database on first use.
 */
export class AccountReader {
  readonly #path: string;
  #opened: Promise<{ readonly keyspace: Keyspace; readonly accounts: Accounts }> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the access of an account. A missing or disabled account has none. */
  async access(userId: string): Promise<Access> {
    const { accounts } = await this.#open();
    const user = await accounts.findUser(userId).catch((error: unknown) => {
      if (isHoldfastError(error, 'USER_NOT_FOUND')) return undefined;
      throw error;
    });
    if (user === undefined || user.id !== userId || user.status !== 'active') return { reads: false, manages: false };
    const roles = await accounts.listRoles();
    const grants = roles
      .filter(({ role }) => user.roles.some((own) => own === role))
      .flatMap(({ permissions }) => permissions);
    return { reads: covers(grants, 'app:audiobooks:read'), manages: covers(grants, 'app:audiobooks:admin') };
  }

  async page(page: { readonly limit: number; readonly cursor?: string | undefined }): Promise<Page<UserView>> {
    return (await this.#open()).accounts.listUsers(page);
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.accounts.settled();
    await opened?.keyspace.close();
  }

  #open(): Promise<{ readonly keyspace: Keyspace; readonly accounts: Accounts }> {
    this.#opened ??= (async () => {
      const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: this.#path }));
      return { keyspace, accounts: await openAccounts({ keyspace }) };
    })();
    return this.#opened;
  }
}
