import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import { holdfastHome } from '@holdfast/base';
import { type CommandContext, commandLineErrors, style } from '@holdfast/cli';
import { createLogger, listen, type ListenOptions } from '@holdfast/http';

import { commandsFolder } from '../adapters/commands-folder.ts';
import { loadApps } from '../apps.ts';
import { type Hub, openHub } from '../hub.ts';

interface Input {
  readonly options: {
    readonly port: number;
    readonly host: string;
    readonly origin: readonly string[];
    readonly trustedProxy: readonly string[];
    readonly tlsCert: string | undefined;
    readonly tlsKey: string | undefined;
    readonly log: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  };
}

export async function run(context: CommandContext<Input>): Promise<void> {
  const { options, env, note, signal } = context;
  const home = holdfastHome(env);
  const tls = tlsOf(options);
  const commands = commandsFolder(process.argv[1] ?? '', env['PATH'] ?? '');
  const logger = createLogger({ level: options.log });
  const apps = await loadApps(
    home,
    (what, error) => note(`${what}: ${messageOf(error)}`),
    (app, error, place = {}) => logger.warn({ app, ...place, err: error }, messageOf(error)),
  );
  const hub = await openHub({
    home,
    siteFolder: siteFolder(env),
    commandsFolder: commands,
    apps: apps.map(({ app }) => app),
    logger,
    origins: options.origin,
    trustedProxies: options.trustedProxy,
  });
  try {
    const listening = await listen(hub.server, {
      host: options.host,
      port: options.port,
      ...(tls === undefined ? {} : { tls }),
    });
    announce(context, { url: listening.url, setupUrl: await setupLink(hub, listening.url), commands });
    await stopped(signal);
    note('Stopping …');
    await listening.close();
  } finally {
    for (const app of apps) await app.close();
    await hub.close();
  }
}

interface Started {
  readonly url: string;
  readonly setupUrl: string | undefined;
  readonly commands: string | undefined;
}

/** With `--json`, prints one line and repeats the data at the top level, for scripts: `head -1 | jq -r .url`. */
function announce({ out, isJson }: CommandContext<Input>, { url, setupUrl, commands }: Started): void {
  const data = { url, setup_url: setupUrl ?? null };
  if (isJson) return out.raw(`${JSON.stringify({ schema_version: 1, data, ...data })}\n`);
  out.item(data, (page) => {
    page.line(style.bold('Holdfast'), ' is at ', style.cyan(url));
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
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function tlsOf({ tlsCert, tlsKey }: Input['options']): ListenOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw commandLineErrors.MISSING_OPTION('TLS requires both --tls-cert and --tls-key');
  }
  return { cert: tlsCert, key: tlsKey };
}

/**
 * Finds the dashboard next to the built command, which npm starts through a link. Undefined when running from source.
 */
function siteFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const chosen = env['HOLDFAST_SITE'];
  const candidates = [chosen, join(realpathSync(process.argv[1] ?? '.'), '..', '..', 'site')];
  return candidates.find((folder) => folder !== undefined && existsSync(join(folder, 'index.html')));
}
