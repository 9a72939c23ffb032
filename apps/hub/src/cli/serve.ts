import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { networkInterfaces } from 'node:os';
import { createSecureContext } from 'node:tls';
import { setFlagsFromString } from 'node:v8';

import { EARLIEST_NOW, holdfastHome, systemClock, systemErrorCode, toTimestamp } from '@holdfast/base';
import { type CommandContext, commandLineErrors, style } from '@holdfast/cli';
import { createLogger, httpErrors, listen, type ListenOptions } from '@holdfast/http';

import { commandsFolder } from '../adapters/commands-folder.ts';
import { inboxWebhook } from '../adapters/inbox-webhook.ts';
import { chosenApps, loadApps } from '../apps.ts';
import { type Hub, openHub } from '../hub.ts';
import { readServerConfig, type ServerConfig } from './server-config.ts';
import { oidcProvider, proxySignIn, type SignInOptions } from './sign-in-settings.ts';

interface Input {
  readonly options: SignInOptions & {
    readonly config: string | undefined;
    readonly home: string | undefined;
    readonly port: number | undefined;
    readonly host: string | undefined;
    readonly lan: boolean;
    readonly origin: readonly string[];
    readonly trustedProxy: readonly string[];
    readonly tlsCert: string | undefined;
    readonly tlsKey: string | undefined;
    readonly notebookRoot: readonly string[];
    readonly natsUrl: string | undefined;
    readonly apps: readonly string[];
    readonly log: ServerConfig['log'];
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, note, signal } = context;
  // By default, V8 lets the heap grow to four times the memory in use. With this setting, an import of 11,000 notes
  // takes 240 MB instead of 380 MB.
  setFlagsFromString('--heap-growing-percent=40');
  requirePossibleTime(systemClock());
  const config = await readServerConfig(options.config, context.env);
  const env = appEnvironment(options, config, context.env);
  const home = holdfastHome(env);
  const names = chosenApps(listOf(options.apps, config.apps));
  const tls = tlsOf(options.tlsCert ?? config.tls_cert, options.tlsKey ?? config.tls_key);
  const commands = commandsFolder(process.argv[1] ?? '', env['PATH'] ?? '');
  const logger = createLogger({ level: options.log ?? config.log ?? 'warn' });
  const trustedProxies = listOf(options.trustedProxy, config.trusted_proxies);
  const signIn = {
    proxySignIn: proxySignIn(options, config, trustedProxies),
    oidc: await oidcProvider(options, config, (error) => note(`OpenID Connect: ${messageOf(error)}`)),
  };
  const webhookUrl = env['HOLDFAST_INBOX_WEBHOOK'] ?? config.inbox_webhook;
  const webhook = webhookUrl === undefined ? undefined : inboxWebhook(webhookUrl, join(home, 'inbox-webhook.json'));
  const apps = await loadApps(
    home,
    env,
    (what, error) => note(`${what}: ${messageOf(error)}`),
    (app, error, place = {}) => logger.warn({ app, ...place, err: error }, messageOf(error)),
    names,
  );
  let hub: Hub | undefined;
  try {
    hub = await openHub({
      home,
      env,
      siteFolder: siteFolder(env),
      commandsFolder: commands,
      folderRoots: folderRoots(env),
      webhook,
      overviews: new Map(apps.map(({ app, overview }) => [app.name, overview])),
      apps: apps.flatMap(({ app, others = [] }) => [app, ...others]),
      tools: apps.map(({ tools }) => tools),
      logger,
      origins: listOf(options.origin, config.origins),
      trustedProxies,
      ...signIn,
    });
    const { address, name } = await addressOf(options, config, tls);
    const listening = await listen(hub.server, {
      host: address,
      port: options.port ?? config.port ?? 4870,
      ...(tls === undefined ? {} : { tls }),
    });
    const url = name === undefined ? listening.url : `https://${name}:${listening.port}`;
    hub.server.origins.add(url);
    const qr = name === undefined ? [] : (await import('./lan.ts')).qrCode(url);
    announce(context, { url, setupUrl: await setupLink(hub, url), commands, qr });
    await stopped(signal);
    note('Stopping …');
    await listening.close();
  } finally {
    await Promise.all(apps.map((app) => app.close()));
    await hub?.close();
  }
}

function requirePossibleTime(now: number): void {
  if (now < EARLIEST_NOW) throw httpErrors.SERVER_CLOCK_WRONG(`The clock shows ${toTimestamp(now)}`);
}

interface Address {
  readonly address: string;
  /** Name or address in the URL for phones; only with `--lan`. */
  readonly name?: string;
}

async function addressOf(options: Input['options'], config: ServerConfig, tls: ListenOptions['tls']): Promise<Address> {
  const host = options.host ?? config.host;
  if (!options.lan && config.lan !== true) return { address: host ?? '127.0.0.1' };
  const { lanAddress, lanName } = await import('./lan.ts');
  const address = host ?? lanAddress(networkInterfaces());
  return { address, name: lanName(address, tls?.cert) };
}

interface Started {
  readonly url: string;
  readonly setupUrl: string | undefined;
  readonly commands: string | undefined;
  /** Lines of the QR code. */
  readonly qr: readonly string[];
}

/** With `--json`, prints one line and repeats the data at the top level, for scripts: `head -1 | jq -r .url`. */
function announce({ out, isJson }: CommandContext<Input>, { url, setupUrl, commands, qr }: Started): void {
  const data = { url, setup_url: setupUrl ?? null };
  if (isJson) return out.raw(`${JSON.stringify({ schema_version: 1, data, ...data })}\n`);
  out.item(data, (page) => {
    page.line(style.bold('Holdfast'), ' is at ', style.cyan(url));
    page.lines(qr);
    if (setupUrl !== undefined) {
      page.line('The server has no owner yet. Open this one-time link to become the owner:');
      page.line('  ', style.cyan(setupUrl));
    }
    if (commands !== undefined) {
      page.line('To use its commands, add them to your PATH:');
      page.line('  ', style.cyan(`export PATH="${commands}:$PATH"`));
    }
  });
}

async function setupLink({ accounts }: Hub, url: string): Promise<string | undefined> {
  if ((await accounts.setupState()) === 'done') return undefined;
  const { secret } = await accounts.createSetupLink();
  // Puts the secret into the fragment, which browsers do not send and servers do not log.
  return `${url}/setup#${secret}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}

type Environment = Readonly<Record<string, string | undefined>>;

function listOf(given: readonly string[], configured: readonly string[] | undefined): readonly string[] {
  return given.length > 0 ? given : (configured ?? []);
}

/** Passes options and values of holdfast.toml to the applications as the environment variables that they read. */
function appEnvironment(
  { home, natsUrl, notebookRoot }: Input['options'],
  config: ServerConfig,
  env: Environment,
): Environment {
  const roots = notebookRoot.length > 0 ? notebookRoot.map((root) => resolve(root)) : undefined;
  return {
    ...env,
    HOLDFAST_HOME: home ?? config.home,
    HOLDFAST_STORE: env['HOLDFAST_STORE'] === '' ? config.store : (env['HOLDFAST_STORE'] ?? config.store),
    UTASK_NATS_URL: natsUrl ?? config.nats_url,
    HOLDFAST_CODEX_ROOTS: roots?.join(':') ?? env['HOLDFAST_CODEX_ROOTS'] ?? config.notebook_roots?.join(':'),
  };
}

/** Returns the notebook roots, or the home directory of the user that runs the server. */
function folderRoots(env: Environment): readonly string[] {
  const roots = (env['HOLDFAST_CODEX_ROOTS'] ?? '').split(':').filter((root) => root !== '');
  return roots.length > 0 ? roots : [homedir()];
}

function tlsOf(certificate: string | undefined, key: string | undefined): ListenOptions['tls'] {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw commandLineErrors.MISSING_OPTION('TLS requires both --tls-cert and --tls-key');
  }
  const tls = { cert: readTlsFile(certificate), key: readTlsFile(key) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw httpErrors.TLS_FILE_INVALID(`${certificate} and ${key} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return tls;
}

function readTlsFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw httpErrors.TLS_FILE_INVALID(`${path} cannot be read (${systemErrorCode(error)})`, { cause: error });
  }
}

/**
 * Finds the dashboard next to the built command, which npm starts through a link. Undefined when running from source.
 */
function siteFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const chosen = env['HOLDFAST_SITE'];
  const candidates = [chosen, join(realpathSync(process.argv[1] ?? '.'), '..', '..', 'site')];
  return candidates.find((folder) => folder !== undefined && existsSync(join(folder, 'index.html')));
}
