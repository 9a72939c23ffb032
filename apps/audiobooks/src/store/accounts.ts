import {
  type Accounts,
  covers,
  openAccounts,
  openAccountsKeyspace,
  type TokenView,
  type UserView,
} from '@holdfast/accounts';
import { isHoldfastError } from '@holdfast/base';
import { type Keyspace, type OnUnreadable, type Page, sqliteEngine } from '@holdfast/keyspace';

export interface Access {
  readonly reads: boolean;
  readonly manages: boolean;
}

export interface TokenUser {
  readonly user: UserView;
  readonly permissions: readonly string[];
}

interface KnownToken {
  readonly revision: number;
  readonly token: TokenView | undefined;
  readonly user: TokenUser | undefined;
}

const TOKEN_USERS_MAX = 1_000;

function ignoreUnknown(error: unknown): undefined {
  if (isHoldfastError(error, 'USER_NOT_FOUND')) return undefined;
  throw error;
}

/**
 * Reads accounts outside requests: whether the owner of a feed may still listen, and which accounts exist. Opens the
 * accounts database on first use.
 */
export class AccountReader {
  readonly #path: string;
  readonly #onUnreadable: OnUnreadable;
  readonly #address: string | undefined;
  readonly #tokenUsers = new Map<string, KnownToken>();
  #opened: Promise<{ readonly keyspace: Keyspace; readonly accounts: Accounts }> | undefined;

  constructor(path: string, onUnreadable: OnUnreadable, address?: string) {
    this.#path = path;
    this.#onUnreadable = onUnreadable;
    this.#address = address;
  }

  /** Returns the access of an account. A missing or disabled account has none. */
  async access(userId: string): Promise<Access> {
    const { accounts } = await this.#open();
    const user = await accounts.findUser(userId).catch(ignoreUnknown);
    if (user === undefined || user.id !== userId || user.status !== 'active') return { reads: false, manages: false };
    const grants = await this.#grants(accounts, user);
    return { reads: covers(grants, 'app:audiobooks:read'), manages: covers(grants, 'app:audiobooks:admin') };
  }

  /**
   * Returns the user of a personal token and the permissions among `wanted` that the token grants now, and records that
   * the token is in use. Returns undefined if the token was revoked or the user is disabled.
   */
  async tokenUser(userId: string, tokenId: string, wanted: readonly string[]): Promise<TokenUser | undefined> {
    const { accounts } = await this.#open();
    const { token, user } = await this.#knownToken(userId, tokenId, wanted);
    if (token !== undefined) accounts.touchToken(token);
    return user;
  }

  async #knownToken(userId: string, tokenId: string, wanted: readonly string[]): Promise<KnownToken> {
    const { accounts, keyspace } = await this.#open();
    const revision = await keyspace.revision();
    const known = this.#tokenUsers.get(tokenId);
    // Every change to any account changes the revision.
    if (known?.revision === revision) return known;
    const token = (await accounts.listTokens(userId)).find(({ id }) => id === tokenId);
    const found = token === undefined ? undefined : await accounts.findUser(userId).catch(ignoreUnknown);
    const grants = found === undefined ? [] : await this.#grants(accounts, found);
    const permissions = wanted.filter(
      (permission) => covers(grants, permission) && covers(token?.scopes ?? [], permission),
    );
    const user = found?.status === 'active' ? { user: found, permissions } : undefined;
    if (this.#tokenUsers.size >= TOKEN_USERS_MAX) this.#tokenUsers.clear();
    const read = { revision, token, user };
    this.#tokenUsers.set(tokenId, read);
    return read;
  }

  /** Gives access to all functions of the accounts service; opens the accounts database if necessary. */
  async accounts(): Promise<Accounts> {
    return (await this.#open()).accounts;
  }

  async #grants(accounts: Accounts, user: UserView): Promise<readonly string[]> {
    const roles = await accounts.listRoles();
    return roles.filter(({ role }) => user.roles.some((own) => own === role)).flatMap(({ permissions }) => permissions);
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
      const engine =
        this.#address === undefined
          ? await sqliteEngine({ path: this.#path })
          : await (await import('@holdfast/postgres')).postgresEngine({ address: this.#address, space: 'accounts' });
      const keyspace = await openAccountsKeyspace(engine);
      return { keyspace, accounts: await openAccounts({ keyspace, onUnreadable: this.#onUnreadable }) };
    })();
    return this.#opened;
  }
}
