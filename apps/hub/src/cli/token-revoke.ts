import type { CommandContext } from '@holdfast/cli';

import { userOrOwner, withAccounts } from './with-accounts.ts';

interface Input {
  readonly args: { readonly id: string };
  readonly options: { readonly user: string | undefined };
}

export async function run({ args, options, env, out }: CommandContext<Input>): Promise<void> {
  await withAccounts(env, async (accounts) => {
    const { id } = await userOrOwner(accounts, options.user);
    await accounts.revokeToken({ userId: id, tokenId: args.id });
  });
  out.result({ id: args.id, revoked: true }, (page) => page.line(`Token ${args.id} has ended`));
}
