import type { RoleName } from '@holdfast/accounts';
import type { CommandContext } from '@holdfast/cli';

import { readPassword } from './read-password.ts';
import { withAccounts } from './with-accounts.ts';

interface Input {
  readonly args: { readonly name: string };
  readonly options: { readonly role: RoleName; readonly email: string | undefined };
}

export async function run({ args, options, env, out, stdin }: CommandContext<Input>): Promise<void> {
  const password = await readPassword(stdin);
  const user = await withAccounts(env, (accounts) =>
    accounts.createUser({ username: args.name, email: options.email, roles: [options.role], password }),
  );
  out.result(user, (page) => page.line(`${user.username} can now sign in (${user.roles.join(', ')})`));
}
