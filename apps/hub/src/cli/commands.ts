import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { accountCommands } from './accounts.ts';
import { databaseCommands } from './databases.ts';
import { overviewCommands } from './overview.ts';

const serve = defineCommand({
  name: 'serve',
  summary: 'Run the server and the dashboard',
  description:
    'Listens on loopback by default. The first start prints a one-time link that creates the owner. Other ' +
    'addresses require --tls-cert and --tls-key, or a proxy named with --trusted-proxy. An option overrides its ' +
    'environment variable, which overrides holdfast.toml. With --json, the first line contains the URL.',
  group: 'Server',
  options: {
    config: {
      type: 'string',
      summary: 'Configuration file; default: ~/.config/holdfast/holdfast.toml, if it exists',
      value: 'file',
      env: 'HOLDFAST_CONFIG',
      complete: 'file',
    },
    home: {
      type: 'string',
      summary: 'Data home: the folder with the databases',
      value: 'folder',
      env: 'HOLDFAST_HOME',
      complete: 'directory',
    },
    port: {
      type: 'integer',
      summary: 'Port to listen on; 0 chooses a free port; default: 4870',
      min: 0,
      max: 65_535,
      env: 'HOLDFAST_PORT',
    },
    host: { type: 'string', summary: 'Address to listen on; default: 127.0.0.1', env: 'HOLDFAST_HOST' },
    origin: {
      type: 'string',
      summary: 'Additional origin at which browsers reach the server, such as https://holdfast.example.org',
      multiple: true,
      env: 'HOLDFAST_ORIGINS',
    },
    trustedProxy: {
      type: 'string',
      summary: 'Address of a trusted reverse proxy',
      multiple: true,
      env: 'HOLDFAST_TRUSTED_PROXIES',
    },
    lan: {
      type: 'boolean',
      summary: 'Listen on the local network address, and print a QR code for phones; requires TLS',
      env: 'HOLDFAST_LAN',
    },
    tlsCert: {
      type: 'string',
      summary: 'TLS certificate file (PEM)',
      value: 'file',
      env: 'HOLDFAST_TLS_CERT',
      complete: 'file',
    },
    tlsKey: {
      type: 'string',
      summary: 'TLS private key file (PEM)',
      value: 'file',
      env: 'HOLDFAST_TLS_KEY',
      complete: 'file',
    },
    userHeader: {
      type: 'string',
      summary: 'Header in which the trusted proxy sends the name of the signed-in user',
      value: 'name',
      env: 'HOLDFAST_USER_HEADER',
    },
    proxySecretFile: {
      type: 'string',
      summary: 'File with the secret that the trusted proxy sends as X-Holdfast-Proxy-Secret',
      value: 'file',
      env: 'HOLDFAST_PROXY_SECRET_FILE',
      complete: 'file',
    },
    oidcIssuer: {
      type: 'string',
      summary: 'URL of the OpenID Connect provider through which users sign in',
      value: 'url',
      env: 'HOLDFAST_OIDC_ISSUER',
    },
    oidcClientId: {
      type: 'string',
      summary: 'Client id of this server at the provider',
      value: 'id',
      env: 'HOLDFAST_OIDC_CLIENT_ID',
    },
    oidcClientSecretFile: {
      type: 'string',
      summary: 'File with the client secret; omit it for a public client',
      value: 'file',
      env: 'HOLDFAST_OIDC_CLIENT_SECRET_FILE',
      complete: 'file',
    },
    oidcScope: {
      type: 'string',
      summary: 'Scope to request; default: openid, profile and email',
      multiple: true,
      env: 'HOLDFAST_OIDC_SCOPES',
    },
    oidcRolesClaim: {
      type: 'string',
      summary: 'Claim whose values determine the roles of a user; default: groups',
      value: 'name',
      env: 'HOLDFAST_OIDC_ROLES_CLAIM',
    },
    oidcRole: {
      type: 'string',
      summary: 'Give ROLE to users whose roles claim contains VALUE, for example admin=staff',
      value: 'role=value',
      multiple: true,
      env: 'HOLDFAST_OIDC_ROLES',
    },
    notebookRoot: {
      type: 'string',
      summary: 'Folder in which users with write permission may create notebooks (or $HOLDFAST_CODEX_ROOTS)',
      value: 'folder',
      multiple: true,
      complete: 'directory',
    },
    natsUrl: {
      type: 'string',
      summary: 'NATS server that stores the ut tasks',
      value: 'url',
      env: 'UTASK_NATS_URL',
    },
    apps: {
      type: 'string',
      summary: 'Applications to run: np, audiobooks, notebooks, ringmaster, utask; default: all',
      value: 'names',
      multiple: true,
      env: 'HOLDFAST_APPS',
    },
    log: {
      type: 'string',
      summary: 'Log level; the log goes to standard error; default: warn',
      choices: ['silent', 'error', 'warn', 'info', 'debug'],
      env: 'HOLDFAST_LOG',
    },
  },
  examples: [
    { command: 'holdfast serve', summary: 'Serve on http://127.0.0.1:4870' },
    {
      command: 'holdfast serve --lan --tls-cert holdfast.pem --tls-key holdfast.key',
      summary: 'Let phones in the local network use the dashboard',
    },
    { command: 'holdfast serve --port 0 --json', summary: 'Choose a free port and print {"url", "setup_url"} as JSON' },
  ],
  load: () => import('./serve.ts'),
});

const system = { type: 'boolean', summary: 'Manage a system-wide service that runs under its own user' } as const;

const service = defineCommand({
  name: 'service',
  summary: 'Run the server as a service that starts at boot',
  description:
    'Uses systemd, or launchd on macOS. Settings come from holdfast.toml. With --system, the service runs as the user ' +
    'holdfast, stores its data in /var/lib/holdfast, and reads /etc/holdfast/holdfast.toml.',
  group: 'Server',
  commands: [
    defineCommand({
      name: 'install',
      summary: 'Install and start the service; restart it if it is already installed',
      options: { system },
      load: async () => ({ run: (await import('./service.ts')).install }),
    }),
    defineCommand({
      name: 'status',
      summary: 'Show whether the service is running; exits with 3 if it is not',
      options: { system },
      load: async () => ({ run: (await import('./service.ts')).status }),
    }),
    defineCommand({
      name: 'logs',
      summary: 'Show the service log',
      options: {
        system,
        lines: { type: 'integer', summary: 'Number of lines', short: 'n', default: 100, min: 1 },
        follow: { type: 'boolean', summary: 'Wait for new lines', short: 'f' },
      },
      load: async () => ({ run: (await import('./service.ts')).logs }),
    }),
    defineCommand({
      name: 'uninstall',
      summary: 'Stop and remove the service; keep its data',
      options: { system },
      load: async () => ({ run: (await import('./service.ts')).uninstall }),
    }),
  ],
});

export const hubCommands: readonly CommandSpec[] = [
  serve,
  service,
  ...overviewCommands,
  ...accountCommands,
  ...databaseCommands,
];
