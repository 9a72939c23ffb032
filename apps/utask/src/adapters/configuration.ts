import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { holdfastHome, permissionErrors, systemErrorCode, writeFileDurablySync } from '@holdfast/base';
import { utaskErrors } from '../model/errors.ts';

/**
 * Location of the tasks. It comes from these sources, highest priority first: options, ut's environment variables, ut's
 * configuration file, and the nats command's environment variables.
 */
export interface Configuration {
  readonly home: string;
  readonly databasePath: string;
  /** Undefined for the database on this machine. */
  readonly url: string | undefined;
  readonly profile: string | undefined;
  readonly credentials: string | undefined;
  readonly tlsCa: string | undefined;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /**
   * Number of servers in the cluster that store the tasks. If undefined, an existing list keeps its number, and a new
   * list gets 1.
   */
  readonly replicas: number | undefined;
  /** File with the seed of an NKey. */
  readonly nkey: string | undefined;
}

export interface ConnectionFlags {
  readonly natsUrl?: string | undefined;
  readonly profile?: string | undefined;
  readonly creds?: string | undefined;
  /** Name of one of the nats command's contexts. */
  readonly context?: string | undefined;
  readonly embedded?: boolean | undefined;
  readonly replicas?: number | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
const FILE_KEYS = ['url', 'profile', 'credentials', 'tlsCa', 'tlsCert', 'tlsKey'] as const;
type FileValues = Readonly<Partial<Record<(typeof FILE_KEYS)[number], string>>>;

export function configuration(flags: ConnectionFlags, env: Environment): Configuration {
  const home = holdfastHome(env);
  const file = readConfiguration(configurationPath(env));
  const own = chosen(flags.natsUrl, env['UTASK_NATS_URL'], file.url);
  const contextName = flags.context ?? (own === undefined ? chosen(env['NATS_CONTEXT']) : undefined);
  const isEmbedded = flags.embedded === true;
  const context = contextName === undefined || isEmbedded ? {} : readContext(contextName, env);
  const url = isEmbedded ? undefined : chosen(flags.natsUrl, context.url, own, env['NATS_URL']);
  if (url !== undefined) checkUrl(url);
  return {
    home,
    databasePath: join(home, 'utask.db'),
    url,
    profile: chosen(flags.profile, env['UTASK_PROFILE'], file.profile),
    credentials: chosen(flags.creds, context.creds, env['UTASK_CREDS'], file.credentials),
    tlsCa: chosen(context.ca, env['UTASK_TLS_CA'], file.tlsCa),
    tlsCert: chosen(context.cert, env['UTASK_TLS_CERT'], file.tlsCert),
    tlsKey: chosen(context.key, env['UTASK_TLS_KEY'], file.tlsKey),
    nkey: context.nkey,
    replicas: flags.replicas,
  };
}

export function configurationPath(env: Environment): string {
  return chosen(env['UTASK_CONFIG']) ?? join(holdfastHome(env), 'utask.json');
}

function chosen(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value !== '');
}

function checkUrl(url: string): void {
  for (const part of url.split(',')) {
    if (!URL.canParse(part.includes('://') ? part : `nats://${part}`)) {
      throw utaskErrors.BAD_CONFIGURATION('The address of the NATS server is invalid.', {
        hint: 'Example: nats://host:4222',
      });
    }
  }
}

type NatsContext = Readonly<Partial<Record<'url' | 'creds' | 'ca' | 'cert' | 'key' | 'nkey', string>>>;

/** Context settings that affect how the server is reached, but that ut does not support. */
const UNSUPPORTED = ['nsc', 'socks_proxy', 'jetstream_domain', 'jetstream_api_prefix', 'inbox_prefix', 'user_jwt'];

/** Reads a context that `nats context add` saved. Puts its user name, password and token into the address. */
function readContext(name: string, env: Environment): NatsContext {
  const home = chosen(env['HOME']) ?? homedir();
  const folder = join(chosen(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'nats', 'context');
  const path = join(folder, `${name}.json`);
  let values: Readonly<Record<string, unknown>>;
  try {
    if (name.includes('/')) throw new TypeError('not a name');
    values = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const message = `The NATS context "${name}" cannot be read from ${folder}.`;
    throw utaskErrors.BAD_CONFIGURATION(message, { cause: error, hint: "'nats context ls' lists the contexts." });
  }
  const unsupported = UNSUPPORTED.find((key) => (values[key] ?? '') !== '');
  if (unsupported !== undefined) {
    throw utaskErrors.BAD_CONFIGURATION(`The NATS context "${name}" uses ${unsupported}, which ut does not support.`);
  }
  const textOf = (key: string): string | undefined => chosen(values[key] as string | undefined);
  const pathOf = (key: string): Readonly<Record<string, string>> => {
    const file = textOf(key);
    return file === undefined ? {} : { [key]: file.replace(/^~(?=\/)/, home) };
  };
  const user = [textOf('user') ?? textOf('token'), textOf('password')].filter((part) => part !== undefined);
  const prefix = user.length === 0 ? '' : `${user.map(encodeURIComponent).join(':')}@`;
  const servers = (textOf('url') ?? 'nats://127.0.0.1:4222').split(',');
  const url = servers.map((server) =>
    server.trim().replace(/^(?:(\w+):\/\/)?/, (_, scheme = 'nats') => `${scheme}://${prefix}`),
  );
  return {
    url: url.join(','),
    ...pathOf('creds'),
    ...pathOf('ca'),
    ...pathOf('cert'),
    ...pathOf('key'),
    ...pathOf('nkey'),
  };
}

/** Returns no values if the file does not exist. */
export function readConfiguration(path: string): FileValues {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return {};
    if (systemErrorCode(error) === 'EACCES') {
      throw permissionErrors.STORE_PERMISSION(`${path} cannot be read (EACCES)`, { cause: error });
    }
    throw utaskErrors.BAD_CONFIGURATION(`${path} cannot be read.`, { cause: error });
  }
  try {
    const values = JSON.parse(text) as Readonly<Record<string, unknown>>;
    for (const [key, value] of Object.entries(values)) {
      const isKnown = FILE_KEYS.some((known) => known === key);
      if (!isKnown || typeof value !== 'string')
        throw new TypeError(`"${key}" is not a known setting with a text value`);
    }
    return values;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    throw utaskErrors.BAD_CONFIGURATION(`${path} is not a valid configuration: ${message}.`, { cause: error });
  }
}

export function writeConfiguration(path: string, values: FileValues): void {
  writeFileDurablySync(path, `${JSON.stringify(values, undefined, 2)}\n`);
}

/** Matches the credentials before each server in an address: a name with a password, or a token. */
const CREDENTIALS = /(^|,|\/\/)([^/,]*)@/g;

/** Removes credentials from an address for messages. */
export function withoutPassword(url: string): string {
  return url.replaceAll(CREDENTIALS, '$1');
}

/**
 * Replaces credentials with a hash of the user name, for text that is stored in files. Users of the same server still
 * have different addresses, and no secret is stored. The user name is hashed because it may be a token. Keeps other
 * text.
 */
export function withoutSecrets(text: string): string {
  return text.replaceAll(CREDENTIALS, (_all, before: string, credentials: string) => {
    const [user = ''] = credentials.split(':');
    return `${before}${createHash('sha256').update(user).digest('hex').slice(0, 8)}~`;
  });
}
