import type { CommandContext } from '@holdfast/cli';

import { withAccounts } from './with-accounts.ts';

export interface StatusInput {
  readonly args: { readonly name: string };
}

export async function setUserStatus(
  { args, env, out }: CommandContext<StatusInput>,
  status: 'active' | 'disabled',
): Promise<void> {
  const user = await withAccounts(env, async (accounts) => {
    const { id } = await accounts.findUser(args.name);
    return accounts.setStatus({ userId: id, status });
  });
  out.result(user, (page) => page.line(`${user.username} is ${user.status}`));
}
