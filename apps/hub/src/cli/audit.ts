import { auditTypes } from '@holdfast/accounts';
import { type CommandContext, commandLineErrors } from '@holdfast/cli';

import { withAccounts } from './with-accounts.ts';

interface Input {
  readonly options: {
    readonly user: string | undefined;
    readonly type: string | undefined;
    readonly since: string | undefined;
    readonly limit: number;
  };
}

export async function run({ options, env, out }: CommandContext<Input>): Promise<void> {
  if (options.since !== undefined && Number.isNaN(Date.parse(options.since))) {
    throw commandLineErrors.INVALID_ARGUMENT(
      `--since: ${options.since} is not a time, for example 2026-11-15T10:00:00Z`,
    );
  }
  const type = auditTypes.find((known) => known === options.type);
  if (type !== options.type) {
    throw commandLineErrors.INVALID_ARGUMENT(`--type must be one of ${auditTypes.join(', ')}`);
  }
  const { items } = await withAccounts(env, (accounts) => accounts.listAudit({ ...options, type }));
  out.result(items, (page) => {
    if (items.length === 0) page.line('No events');
    else
      page.table(items, [
        { heading: 'TIME', value: ({ at }) => at },
        { heading: 'EVENT', value: (event) => event.type },
        { heading: 'BY', value: ({ actor, actor_name }) => actor_name ?? actor },
        { heading: 'USER', value: ({ user_id, username }) => username ?? user_id ?? '', flexible: true },
        { heading: 'ADDRESS', value: ({ ip }) => ip ?? '' },
      ]);
  });
}
