import type { CommandContext } from '@holdfast/cli';

import { readPassword } from './read-password.ts';
import { withAccounts } from './with-accounts.ts';

interface Input {
  readonly args: { readonly name: string };
}

export async function run({ args, env, out, stdin }: CommandContext<Input>): Promise<void> {
  const password = await readPassword(stdin);
  const user = await withAccounts(env, async (accounts) => {
    const found = await accounts.findUser(args.name);
    await accounts.setPassword({ userId: found.id, password });
    return found;
  });
  out.result(user, (page) => page.line(`The password of ${user.username} is set; all sessions have ended`));
}
