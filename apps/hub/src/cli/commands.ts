import { type CommandSpec, defineCommand } from '@holdfast/cli';

/** What the hub adds to the holdfast command. */

const serve = defineCommand({
  name: 'serve',
  summary: 'Run the server and the dashboard',
  description:
    'Listens on loopback only. The first start prints a one-time link that makes the owner. Beyond loopback it needs ' +
    '--tls-cert and --tls-key, or a proxy named with --trusted-proxy. With --json the first line says where it listens.',
  group: 'Server',
  options: {
    port: { type: 'integer', summary: 'Port; 0 takes any free one', default: 4870, min: 0, max: 65_535 },
    host: { type: 'string', summary: 'Address to listen on', default: '127.0.0.1' },
    origin: { type: 'string', summary: 'An address under which people reach it', multiple: true },
    trustedProxy: { type: 'string', summary: 'Address of a proxy in front of it', multiple: true },
    tlsCert: { type: 'string', summary: 'Certificate file (PEM)', value: 'file', complete: 'file' },
    tlsKey: { type: 'string', summary: 'Key file (PEM)', value: 'file', complete: 'file' },
    log: {
      type: 'string',
      summary: 'What to log, on standard error',
      choices: ['silent', 'error', 'warn', 'info', 'debug'],
      default: 'warn',
    },
  },
  examples: [
    { command: 'holdfast serve', summary: 'On http://127.0.0.1:4870' },
    { command: 'holdfast serve --port 0 --json', summary: 'For a program: {"url", "setup_url"}' },
  ],
  load: () => import('./serve.ts'),
});

const userName = { name: 'name', summary: 'Name or e-mail address of the user' } as const;

const user = defineCommand({
  name: 'user',
  summary: 'Manage who may use the server',
  group: 'Server',
  commands: [
    defineCommand({ name: 'list', summary: 'Show all users', load: () => import('./user-list.ts') }),
    defineCommand({
      name: 'add',
      summary: 'Make a user; the password is read from standard input',
      arguments: [{ name: 'name', summary: 'Name of the new user' }],
      options: {
        role: { type: 'string', summary: 'What they may do', choices: ['admin', 'user', 'viewer'], default: 'user' },
        email: { type: 'string', summary: 'E-mail address' },
      },
      examples: [{ command: 'holdfast user add ada --role viewer < password.txt', summary: 'Somebody who may look' }],
      load: () => import('./user-add.ts'),
    }),
    defineCommand({
      name: 'password',
      summary: 'Set a password, read from standard input; ends all sessions',
      arguments: [userName],
      load: () => import('./user-password.ts'),
    }),
    defineCommand({
      name: 'disable',
      summary: 'Refuse a user',
      arguments: [userName],
      load: () => import('./user-disable.ts'),
    }),
    defineCommand({
      name: 'enable',
      summary: 'Let a user in again',
      arguments: [userName],
      load: () => import('./user-enable.ts'),
    }),
  ],
});

const token = defineCommand({
  name: 'token',
  summary: 'Manage tokens for programs',
  group: 'Server',
  commands: [
    defineCommand({
      name: 'create',
      summary: 'Make a token; it is shown this once',
      description: 'Works with or without a running server, and makes the owner if there is none yet.',
      options: {
        name: { type: 'string', summary: 'What it is for', required: true },
        user: { type: 'string', summary: 'Whose it is; the owner if left out' },
        scope: { type: 'string', summary: 'read, write, admin, or one such as app:np:write', multiple: true },
        days: { type: 'integer', summary: 'How long it works; for ever if left out', min: 1, max: 3_650 },
      },
      examples: [
        { command: 'holdfast token create --name ci --scope read --json', summary: 'data.token is the secret' },
      ],
      load: () => import('./token-create.ts'),
    }),
    defineCommand({
      name: 'list',
      summary: 'Show the tokens of a user',
      options: { user: { type: 'string', summary: 'Whose; the owner if left out' } },
      load: () => import('./token-list.ts'),
    }),
    defineCommand({
      name: 'revoke',
      summary: 'End a token at once',
      arguments: [{ name: 'id', summary: 'Its id, as `token list` shows it' }],
      options: { user: { type: 'string', summary: 'Whose; the owner if left out' } },
      load: () => import('./token-revoke.ts'),
    }),
  ],
});

const audit = defineCommand({
  name: 'audit',
  summary: 'Show sign-ins and changes to accounts, newest first',
  group: 'Server',
  options: {
    user: { type: 'string', summary: 'Only events by or about this user (name, e-mail address or id)' },
    type: { type: 'string', summary: 'Only events of this type, for example login_failed' },
    since: { type: 'string', summary: 'Only events at or after this time', value: 'time' },
    limit: { type: 'integer', summary: 'Number of events', short: 'n', default: 50, min: 1, max: 500 },
  },
  examples: [{ command: 'holdfast audit --type login_failed --since 2026-11-15', summary: 'Failed sign-ins' }],
  load: () => import('./audit.ts'),
});

export const hubCommands: readonly CommandSpec[] = [serve, user, token, audit];
