import { DAY } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';

import { userOrOwner, withAccounts } from './with-accounts.ts';

interface Input {
  readonly options: {
    readonly name: string;
    readonly user: string | undefined;
    readonly scope: readonly string[];
    readonly days: number | undefined;
  };
}

/** A token that may change data but not accounts: what most programs need. */
const DEFAULT_SCOPES = ['write'];

export async function run({ options, env, out, note }: CommandContext<Input>): Promise<void> {
  const { user, made } = await withAccounts(env, async (accounts) => {
    const owner = await userOrOwner(accounts, options.user);
    const token = await accounts.createToken({
      userId: owner.id,
      name: options.name,
      scopes: options.scope.length === 0 ? DEFAULT_SCOPES : options.scope,
      expiresAt: options.days === undefined ? undefined : Date.now() + options.days * DAY,
    });
    return { user: owner, made: token };
  });
  const { id, name, scopes, expires_at } = made.token;
  const data = { token: made.secret, id, name, scopes, expires_at, user: user.username };
  out.result(data, (page) => page.line(made.secret));
  note(`A token of ${user.username} for ${scopes.join(', ')}. It is not shown again.`);
}
