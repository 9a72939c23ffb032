import type { Accounts } from '@holdfast/accounts';
import {
  addUser,
  createToken,
  editUser,
  listAudit,
  listSessions,
  listTokens,
  listUsers,
  removeUser,
  revokeOtherSessions,
  revokeSession,
  revokeToken,
} from '@holdfast/accounts/operations';
import { type CommandBinding, type CommandSpec, commandsFor, defineCommand } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

const command = commandsFor<Accounts>({
  shared: {},
  open: async () => (await import('./with-accounts.ts')).withAccounts,
});

const GROUP = 'Server';
const LIMIT_MAX = 500;

const withPassword: NonNullable<CommandBinding<typeof addUser.input, typeof addUser.output>['prepare']> = async (
  input,
  { stdin },
) => ({ ...input, password: await (await import('./with-accounts.ts')).readPassword(stdin) });

/** Fields of `user edit` that its short forms, such as `user disable`, omit. */
const otherFields = ['username', 'email', 'roles', 'password'] as const;

const user = defineCommand({
  name: 'user',
  summary: 'Manage the users of the server',
  group: GROUP,
  commands: [
    command(listUsers, {
      name: 'list',
      defaults: { limit: LIMIT_MAX },
      print: ({ data }, page) => {
        if (data.length === 0) page.line('No users yet. `holdfast serve` prints a link to create the owner.');
        else
          page.table(data, [
            { heading: 'NAME', value: ({ username }) => username, flexible: true },
            { heading: 'ROLES', value: ({ roles }) => roles.join(', ') },
            { heading: 'STATUS', value: ({ status }) => status },
            { heading: 'SINCE', value: ({ created_at }) => created_at },
          ]);
      },
    }),
    command(addUser, {
      name: 'add',
      description: 'Reads the password from standard input.',
      arguments: ['username'],
      flags: { roles: 'role' },
      omit: ['password'],
      prepare: withPassword,
      examples: [{ command: 'holdfast user add ada --role viewer < password.txt', summary: 'Add a read-only user' }],
      print: ({ username, roles }, page) => page.line(`${username} can now sign in (${roles.join(', ')})`),
    }),
    command(editUser, {
      name: 'edit',
      arguments: ['user'],
      flags: { roles: 'role' },
      omit: ['password'],
      examples: [{ command: 'holdfast user edit ada --role admin', summary: 'Replace the roles' }],
      print: ({ username, roles, status }, page) => page.line(`${username}: ${roles.join(', ')}, ${status}`),
    }),
    command(editUser, {
      name: 'password',
      description: "Reads a new password from standard input, sets it, and ends all of the user's sessions.",
      arguments: ['user'],
      omit: [...otherFields, 'status'],
      prepare: withPassword,
      print: ({ username }, page) => page.line(`Changed the password of ${username} and ended all their sessions`),
    }),
    command(editUser, {
      name: 'disable',
      description: "Ends all of the user's sessions and rejects the user's tokens.",
      arguments: ['user'],
      omit: otherFields,
      fixed: { status: 'disabled' },
      print: ({ username }, page) => page.line(`${username} is disabled`),
    }),
    command(editUser, {
      name: 'enable',
      description: 'Lets a disabled user sign in again.',
      arguments: ['user'],
      omit: otherFields,
      fixed: { status: 'active' },
      print: ({ username }, page) => page.line(`${username} is active`),
    }),
    command(removeUser, {
      name: 'remove',
      arguments: ['user'],
      print: ({ id }, page) => page.line(`Removed user ${id}`),
    }),
  ],
});

const token = defineCommand({
  name: 'token',
  summary: 'Manage tokens for programs',
  group: GROUP,
  commands: [
    command(createToken, {
      name: 'create',
      description: 'Works with or without a running server. Creates the owner if none exists.',
      flags: { scopes: 'scope' },
      examples: [
        {
          command: 'holdfast token create --name ci --scope read --json',
          summary: 'Create a read-only token; data.secret in the JSON is the token',
        },
      ],
      print: ({ secret, scopes }, page, { note }) => {
        page.line(secret);
        note(`Created a token for ${scopes.join(', ')}. It is not shown again.`);
      },
    }),
    command(listTokens, {
      name: 'list',
      print: ({ data }, page) =>
        page.table(data, [
          { heading: 'ID', value: ({ id }) => id },
          { heading: 'NAME', value: ({ name }) => name, flexible: true },
          { heading: 'SCOPES', value: ({ scopes }) => scopes.join(', ') },
          { heading: 'LAST USED', value: ({ last_used_at }) => last_used_at ?? 'never' },
        ]),
    }),
    command(revokeToken, {
      name: 'revoke',
      arguments: ['id'],
      print: ({ id }, page) => page.line(`Revoked token ${id}`),
    }),
  ],
});

const session = defineCommand({
  name: 'session',
  summary: 'Manage browser sessions',
  group: GROUP,
  commands: [
    command(listSessions, {
      name: 'list',
      omit: ['current'],
      print: ({ data }, page) =>
        page.table(data, [
          { heading: 'ID', value: ({ id }) => id },
          { heading: 'BROWSER', value: ({ user_agent }) => user_agent ?? '', flexible: true },
          { heading: 'ADDRESS', value: ({ ip }) => ip ?? '' },
          { heading: 'LAST SEEN', value: ({ last_seen_at }) => last_seen_at },
        ]),
    }),
    command(revokeSession, {
      name: 'revoke',
      arguments: ['id'],
      print: ({ id }, page) => page.line(`Ended session ${id}`),
    }),
    command(revokeOtherSessions, {
      name: 'revoke-all',
      description: 'Signs the user out everywhere.',
      omit: ['current'],
      print: ({ revoked }, page) => page.line(`Ended ${revoked} session${revoked === 1 ? '' : 's'}`),
    }),
  ],
});

const audit = command(listAudit, {
  name: 'audit',
  group: GROUP,
  short: { limit: 'n' },
  examples: [
    {
      command: 'holdfast audit --type login_failed --since 2026-11-15T00:00:00Z',
      summary: 'List failed sign-ins since a time',
    },
  ],
  print: ({ data, next_cursor: more }, page, { note }) => {
    if (data.length === 0) page.line('No events');
    else
      page.table(data, [
        { heading: 'TIME', value: ({ at }) => at },
        { heading: 'EVENT', value: ({ type }) => type },
        { heading: 'BY', value: ({ actor, actor_name }) => actor_name ?? actor },
        { heading: 'USER', value: ({ user_id, username }) => username ?? user_id ?? '', flexible: true },
        { heading: 'ADDRESS', value: ({ ip }) => ip ?? '' },
        { heading: 'DETAILS', value: detailsOf },
      ]);
    if (more !== null) note(`For the next page, add --cursor ${more}`);
  },
});

function detailsOf({ via, reason, subject }: OutputOf<typeof listAudit>['data'][number]): string {
  const parts = [via && `via ${via}`, reason, subject && `subject ${subject}`];
  return parts.filter((part) => part !== undefined).join('; ');
}

export const accountCommands: readonly CommandSpec[] = [user, token, session, audit];
