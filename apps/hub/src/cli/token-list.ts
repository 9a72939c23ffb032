import type { CommandContext } from '@holdfast/cli';

import { userOrOwner, withAccounts } from './with-accounts.ts';

interface Input {
  readonly options: { readonly user: string | undefined };
}

export async function run({ options, env, out }: CommandContext<Input>): Promise<void> {
  const tokens = await withAccounts(env, async (accounts) => {
    const { id } = await userOrOwner(accounts, options.user);
    return accounts.listTokens(id);
  });
  out.result(tokens, (page) =>
    page.table(tokens, [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'NAME', value: ({ name }) => name, flexible: true },
      { heading: 'SCOPES', value: ({ scopes }) => scopes.join(', ') },
      { heading: 'LAST USED', value: ({ last_used_at }) => last_used_at ?? 'never' },
    ]),
  );
}
