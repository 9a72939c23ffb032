import type { CommandContext } from '@holdfast/cli';

import { withAccounts } from './with-accounts.ts';

const ALL = 500;

export async function run({ env, out }: CommandContext): Promise<void> {
  const { items } = await withAccounts(env, (accounts) => accounts.listUsers({ limit: ALL }));
  out.result(items, (page) => {
    if (items.length === 0) page.line('There are no users yet. `holdfast serve` prints a link for the first one.');
    else
      page.table(items, [
        { heading: 'NAME', value: ({ username }) => username, flexible: true },
        { heading: 'ROLES', value: ({ roles }) => roles.join(', ') },
        { heading: 'STATUS', value: ({ status }) => status },
        { heading: 'SINCE', value: ({ created_at }) => created_at },
      ]);
  });
}
