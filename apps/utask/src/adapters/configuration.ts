import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdfastHome, systemErrorCode, writeFileDurablySync } from '@holdfast/base';
import { utaskErrors } from '../model/errors.ts';

/** Location of the tasks. Options override environment variables, which override the configuration file. */
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
}

export interface ConnectionFlags {
  readonly natsUrl?: string | undefined;
  readonly profile?: string | undefined;
  readonly creds?: string | undefined;
  readonly embedded?: boolean | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
const FILE_KEYS = ['url', 'profile', 'credentials', 'tlsCa', 'tlsCert', 'tlsKey'] as const;
type FileValues = Readonly<Partial<Record<(typeof FILE_KEYS)[number], string>>>;

export function configuration(flags: ConnectionFlags, env: Environment): Configuration {
  const home = holdfastHome(env);
  const file = readConfiguration(configurationPath(env));
  const url = flags.embedded === true ? undefined : chosen(flags.natsUrl, env['UTASK_NATS_URL'], file.url);
  if (url !== undefined) checkUrl(url);
  return {
    home,
    databasePath: join(home, 'utask.db'),
    url,
    profile: chosen(flags.profile, env['UTASK_PROFILE'], file.profile),
    credentials: chosen(flags.creds, env['UTASK_CREDS'], file.credentials),
    tlsCa: chosen(env['UTASK_TLS_CA'], file.tlsCa),
    tlsCert: chosen(env['UTASK_TLS_CERT'], file.tlsCert),
    tlsKey: chosen(env['UTASK_TLS_KEY'], file.tlsKey),
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

/** Empty when there is no such file. */
export function readConfiguration(path: string): FileValues {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return {};
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

/** Matches credentials, a name with password or a token, before each server of an address. */
const CREDENTIALS = /(^|,|\/\/)([^/,]*)@/g;

/** Removes credentials from an address for messages. */
export function withoutPassword(url: string): string {
  return url.replaceAll(CREDENTIALS, '$1');
}

/**
 * Replaces credentials with a hash of the user name, for text that is stored in files: users of one server stay
 * distinct, and no secret is stored. The user name is hashed because it may be a token. Keeps other text.
 */
export function withoutSecrets(text: string): string {
  return text.replaceAll(CREDENTIALS, (_all, before: string, credentials: string) => {
    const [user = ''] = credentials.split(':');
    return `${before}${createHash('sha256').update(user).digest('hex').slice(0, 8)}~`;
  });
}
