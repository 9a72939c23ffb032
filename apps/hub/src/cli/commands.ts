import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { accountCommands } from './accounts.ts';
import { databaseCommands } from './databases.ts';

const serve = defineCommand({
  name: 'serve',
  summary: 'Run the server and the dashboard',
  description:
    'Listens on loopback by default. The first start prints a one-time link that creates the owner. Other ' +
    'addresses require --tls-cert and --tls-key, or a proxy named with --trusted-proxy. With --json, the first line contains the URL.',
  group: 'Server',
  options: {
    port: { type: 'integer', summary: 'Port to listen on; 0 chooses a free port', default: 4870, min: 0, max: 65_535 },
    host: { type: 'string', summary: 'Address to listen on', default: '127.0.0.1' },
    origin: { type: 'string', summary: 'Another origin at which browsers reach the server', multiple: true },
    trustedProxy: { type: 'string', summary: 'Address of a trusted reverse proxy', multiple: true },
    tlsCert: { type: 'string', summary: 'TLS certificate file (PEM)', value: 'file', complete: 'file' },
    tlsKey: { type: 'string', summary: 'TLS private key file (PEM)', value: 'file', complete: 'file' },
    log: {
      type: 'string',
      summary: 'Log level; the log goes to standard error',
      choices: ['silent', 'error', 'warn', 'info', 'debug'],
      default: 'warn',
    },
  },
  examples: [
    { command: 'holdfast serve', summary: 'Serve on http://127.0.0.1:4870' },
    { command: 'holdfast serve --port 0 --json', summary: 'Choose a free port and print {"url", "setup_url"} as JSON' },
  ],
  load: () => import('./serve.ts'),
});

export const hubCommands: readonly CommandSpec[] = [serve, ...accountCommands, ...databaseCommands];
