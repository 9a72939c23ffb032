import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { closest, isHoldfastError, readTomlFile, systemErrorCode } from '@holdfast/base';
import { httpErrors } from '@holdfast/http';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Keys of holdfast.toml. `holdfast serve` has an environment variable for each key, and an option for each except
 * `store` and `inbox_webhook`: their addresses may contain a password, and every user of the machine can see a
 * process's arguments.
 */
const schema = z.object({
  home: z.string().optional(),
  host: z.string().optional(),
  port: z.int().min(0).max(65_535).optional(),
  lan: z.boolean().optional(),
  origins: z.array(z.string()).optional(),
  trusted_proxies: z.array(z.string()).optional(),
  tls_cert: z.string().optional(),
  tls_key: z.string().optional(),
  user_header: z.string().optional(),
  proxy_secret_file: z.string().optional(),
  oidc_issuer: z.string().optional(),
  oidc_client_id: z.string().optional(),
  oidc_client_secret_file: z.string().optional(),
  oidc_scopes: z.array(z.string()).optional(),
  oidc_roles_claim: z.string().optional(),
  oidc_roles: z.array(z.string()).optional(),
  notebook_roots: z.array(z.string()).optional(),
  nats_url: z.string().optional(),
  apps: z.array(z.string()).optional(),
  store: z.string().optional(),
  inbox_webhook: z.string().optional(),
  log: z.enum(['silent', 'error', 'warn', 'info', 'debug']).optional(),
});

export type ServerConfig = z.infer<typeof schema>;

export const KEYS: readonly string[] = Object.keys(schema.shape);
const PATH_KEYS = ['home', 'tls_cert', 'tls_key', 'proxy_secret_file', 'oidc_client_secret_file'] as const;

/** Reads holdfast.toml. An explicitly named file must exist; the file at the default path need not. */
export async function readServerConfig(named: string | undefined, env: Environment): Promise<ServerConfig> {
  const path = resolve(named ?? defaultPath(env));
  const invalid = (message: string, line: number | undefined, cause?: Error): Error =>
    httpErrors.SERVER_CONFIG_INVALID(`${path}${line === undefined ? '' : `:${line}`}: ${message}`, {
      ...(cause === undefined ? {} : { cause }),
      details: { line: line ?? null },
    });
  const file = await readTomlFile(path, invalid).catch((error: unknown) => {
    const code = isHoldfastError(error) ? undefined : systemErrorCode(error);
    throw code === undefined ? error : invalid(`cannot be read (${code})`, undefined, error as Error);
  });
  if (file === undefined) {
    if (named === undefined) return {};
    throw invalid('there is no such file', undefined);
  }
  for (const key of Object.keys(file.values)) {
    if (KEYS.includes(key)) continue;
    const meant = closest(key, KEYS);
    const suggestion = meant === undefined ? `Known keys: ${KEYS.join(', ')}` : `Did you mean "${meant}"?`;
    throw invalid(`unknown key "${key}". ${suggestion}`, file.lineOf('', key, 0));
  }
  const read = schema.safeParse(file.values);
  if (read.success) return withAbsolutePaths(read.data, dirname(path));
  const [issue] = read.error.issues;
  const key = String(issue?.path[0]);
  throw invalid(`${key}: ${issue?.message}`, file.lineOf('', key, 0));
}

function defaultPath(env: Environment): string {
  const config = env['XDG_CONFIG_HOME'];
  // The XDG specification requires absolute paths; programs must ignore relative ones.
  const folder = config?.startsWith('/') === true ? config : join(env['HOME'] ?? homedir(), '.config');
  return join(folder, 'holdfast', 'holdfast.toml');
}

/**
 * Resolves relative paths from the folder that contains holdfast.toml, because a service manager starts the server in
 * another folder.
 */
function withAbsolutePaths(config: ServerConfig, folder: string): ServerConfig {
  const paths = PATH_KEYS.flatMap((key) => {
    const value = config[key];
    return value === undefined ? [] : [[key, resolve(folder, value)] as const];
  });
  const roots = config.notebook_roots?.map((root) => resolve(folder, root));
  return { ...config, ...Object.fromEntries(paths), ...(roots === undefined ? {} : { notebook_roots: roots }) };
}
