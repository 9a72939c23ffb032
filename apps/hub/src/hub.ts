import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Accounts, openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { type Clock, MINUTE, SECOND, systemClock } from '@holdfast/base';
import {
  type App,
  Broadcaster,
  createLogger,
  createServer,
  defineApp,
  loadSite,
  type Logger,
  routeTable,
  type Server,
  type Site,
  type Statuses,
} from '@holdfast/http';
import { sqliteEngine } from '@holdfast/keyspace';

import { Databases } from './adapters/databases.ts';
import { ownAccountRoutes, userRoutes } from './http/account-routes.ts';
import { accountRoutes, authRoutes } from './http/auth-routes.ts';
import { AuthenticationCache } from './http/authentication-cache.ts';
import { errorsRoutes } from './http/errors-route.ts';
import { authenticator, cookies } from './http/identity.ts';
import { oncePerTurn } from './http/once-per-turn.ts';
import { systemRoutes } from './http/system-routes.ts';
import { activityFeed } from './service/activity-feed.ts';

export const VERSION = '0.1.0';

export interface HubOptions {
  readonly home: string;
  /** Folder of the built dashboard; without it, only the API is served. */
  readonly siteFolder?: string | undefined;
  /** Routes of the applications. */
  readonly apps?: readonly App[];
  readonly origins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  /** Folder of the commands, if it is not in the PATH. */
  readonly commandsFolder?: string | undefined;
  readonly logger?: Logger;
  /** Clock of the accounts, for tests. */
  readonly clock?: Clock;
}

export interface Hub {
  readonly server: Server;
  readonly accounts: Accounts;
  readonly databases: Databases;
  close(): Promise<void>;
}

/** Paths of the dashboard's pages. */
const pages = [
  '/',
  '/plans',
  '/plans/{sid}',
  '/tasks',
  '/ringmaster',
  '/ringmaster/{workspace}/{view}',
  '/ringmaster/{workspace}/tasks/{id}',
  '/books',
  '/books/{view}',
  '/books/{view}/{id}',
  '/notebooks',
  '/notebooks/{id}',
  '/notebooks/{id}/history',
  '/notebooks/{id}/search',
  '/notebooks/{id}/files/{file}',
  '/notebooks/{id}/files/{file}/history',
  '/queue',
  '/activity',
  '/keys',
  '/keys/{name}',
  '/system',
  '/account',
  '/users',
  '/sign-in',
  '/setup',
] as const;

/** Account errors whose HTTP status differs from the default status of their kind. */
const statuses: Statuses = {
  CREDENTIALS_WRONG: 401,
  SESSION_INVALID: 401,
  TOKEN_INVALID: 401,
  SETUP_LINK_INVALID: 403,
  LOGIN_THROTTLED: 429,
};

/** Shorter than for commands, because a request must not wait long for the write lock. */
const LOCK_TIMEOUT_MS = 5 * SECOND;

const SWEEP_EVERY = 10 * MINUTE;

/** Composes the server without listening. */
export async function openHub(options: HubOptions): Promise<Hub> {
  const { home } = options;
  await mkdir(home, { recursive: true, mode: 0o700 });
  const databases = new Databases(home);
  const keyspace = await openAccountsKeyspace(
    await sqliteEngine({ path: databases.path('accounts'), lock: { timeoutMs: LOCK_TIMEOUT_MS } }),
  );
  const { logger = createLogger({ level: 'warn' }) } = options;
  const clock = options.clock ?? systemClock;
  const accounts = await openAccounts({
    keyspace,
    clock,
    onBackgroundError: (error) => logger.error({ err: error }, 'background work failed'),
  });
  const activity = new Broadcaster(activityFeed(databases), {
    onError: (error) => logger.error({ err: error }, 'activity feed failed'),
  });
  const hosted = options.apps ?? [];
  const { commandsFolder } = options;
  const apps = [...hubApps({ accounts, databases, activity, commandsFolder }, hosted), ...hosted];
  // Most permissions belong to routes. Operations also check `app:NAME:admin`, which no route requires.
  const asked = [...routeTable(apps).map(({ permission }) => permission), 'system:read'];
  const permissions = [...new Set<string>([...asked, ...hosted.map(({ name }) => `app:${name}:admin`)])];
  const revision = oncePerTurn(() => keyspace.engine.revision());
  const stopWatching = keyspace.engine.onChange(revision.forget);
  const site = await siteOf(options.siteFolder);
  const server = createServer({
    apps,
    authenticate: authenticator(new AuthenticationCache(accounts, revision.get, clock), () =>
      permissions.filter((permission) => permission !== 'public'),
    ),
    info: { title: 'Holdfast', version: VERSION },
    ...(site === undefined ? {} : { site }),
    logger,
    idempotency: { get: accounts.findReply, put: accounts.rememberReply },
    ...(options.origins === undefined ? {} : { origins: options.origins }),
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    // Not in the system's temporary folder, which may be in memory.
    uploads: { folder: join(home, 'uploads') },
    readiness: [{ name: 'accounts', check: () => keyspace.revision() }],
  });
  const sweeper = accounts.startSweeper(SWEEP_EVERY, (error) =>
    logger.error({ err: error }, 'deleting expired data failed'),
  );
  return {
    server,
    accounts,
    databases,
    async close() {
      await sweeper.stop();
      stopWatching();
      await activity.close();
      await accounts.settled();
      await databases.close();
      await keyspace.close();
    },
  };
}

interface HubParts {
  readonly accounts: Accounts;
  readonly databases: Databases;
  readonly activity: Broadcaster;
  readonly commandsFolder?: string | undefined;
}

/** The hub's routes and those of the hosted applications. */
export function hubApps(parts: HubParts, hosted: readonly App[] = []): readonly App[] {
  const { accounts, databases, activity, commandsFolder } = parts;
  const about = { version: VERSION, commandsFolder };
  const sessions = { accounts, cookiesFor: cookies };
  const all = Object.assign({}, ...hosted.map((app) => app.statuses), statuses) as Statuses;
  return [
    defineApp({ name: 'auth', basePath: '/api/auth', statuses, routes: authRoutes(sessions) }),
    defineApp({
      name: 'account',
      basePath: '/api/account',
      statuses,
      routes: [...accountRoutes(sessions), ...ownAccountRoutes(accounts)],
    }),
    defineApp({ name: 'users', basePath: '/api/users', statuses, routes: userRoutes(accounts) }),
    defineApp({ name: 'errors', basePath: '', routes: errorsRoutes(all) }),
    defineApp({ name: 'system', basePath: '/api/system', routes: systemRoutes(databases, activity, about) }),
  ];
}

async function siteOf(folder: string | undefined): Promise<Site | undefined> {
  return folder === undefined || !existsSync(folder) ? undefined : loadSite({ folder, pages });
}
