import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { accountCommands } from './accounts.ts';
import { databaseCommands } from './databases.ts';

const serve = defineCommand({
  name: 'serve',
  summary: 'Run the server and the dashboard',
  description:
    'Listens on loopback only. The first start prints a one-time link that creates the owner. Beyond loopback it needs ' +
    '--tls-cert and --tls-key, or a proxy named with --trusted-proxy. With --json the first line holds the URL.',
  group: 'Server',
  options: {
    port: { type: 'integer', summary: 'Port; 0 chooses a free one', default: 4870, min: 0, max: 65_535 },
    host: { type: 'string', summary: 'Address to listen on', default: '127.0.0.1' },
    origin: { type: 'string', summary: 'Another origin of the server, as browsers see it', multiple: true },
    trustedProxy: { type: 'string', summary: 'Address of a reverse proxy', multiple: true },
    tlsCert: { type: 'string', summary: 'Certificate file (PEM)', value: 'file', complete: 'file' },
    tlsKey: { type: 'string', summary: 'Key file (PEM)', value: 'file', complete: 'file' },
    log: {
      type: 'string',
      summary: 'Log level; the log goes to standard error',
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

export const hubCommands: readonly CommandSpec[] = [serve, ...accountCommands, ...databaseCommands];
