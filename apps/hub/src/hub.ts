import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type Accounts, openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { type Clock, LogThrottle, MINUTE, SECOND, systemClock, VERSION } from '@holdfast/base';
import type { RemoteTools } from '@holdfast/cli/mcp';
import {
  type App,
  Broadcaster,
  createLogger,
  createServer,
  defineApp,
  loadSite,
  type Logger,
  type ProxySignIn,
  type ReadinessCheck,
  routeTable,
  type Server,
  type Site,
  type Statuses,
} from '@holdfast/http';
import { makeFolder } from '@holdfast/sqlite';

import { type AccountsEngine, openAccountsEngine } from './adapters/accounts-engine.ts';
import { Databases } from './adapters/databases.ts';
import { Folders } from './adapters/folders.ts';
import type { OidcProvider } from './adapters/oidc.ts';
import { ownAccountRoutes, userRoutes } from './http/account-routes.ts';
import { accountRoutes, authRoutes } from './http/auth-routes.ts';
import { AuthenticationCache } from './http/authentication-cache.ts';
import { errorsRoutes } from './http/errors-route.ts';
import { authenticator, cookies } from './http/identity.ts';
import { mcpApp } from './http/mcp.ts';
import { OidcFlow } from './http/oidc-flow.ts';
import { linkRoutes, oidcRoutes } from './http/oidc-routes.ts';
import { oncePerTurn } from './http/once-per-turn.ts';
import { overviewRoutes } from './http/overview-routes.ts';
import { systemRoutes } from './http/system-routes.ts';
import { server as mcpServer, tools } from './mcp/tools.ts';
import type { Everything } from './operations/overview.ts';
import { activityFeed } from './service/activity-feed.ts';
import { InboxNotifier, type Webhook } from './service/notify-inbox.ts';

export interface HubOptions {
  readonly home: string;
  /** Environment variables. They determine which databases are on a PostgreSQL server instead of in `home`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Folder of the built dashboard; without it, only the API is served. */
  readonly siteFolder?: string | undefined;
  /** The applications' routes. */
  readonly apps?: readonly App[];
  /** The applications' tools for agents, at `/mcp/NAME`. */
  readonly tools?: readonly RemoteTools[];
  /** The applications, for routes that cover all of them. */
  readonly overviews?: Everything['overviews'];
  /** Folders in which people can choose a folder. */
  readonly folderRoots?: readonly string[];
  readonly origins?: readonly string[];
  readonly trustedProxies?: readonly string[];
  readonly proxySignIn?: ProxySignIn | undefined;
  readonly oidc?: OidcProvider | undefined;
  /** Folder that contains the commands, if it is not in the PATH. */
  readonly commandsFolder?: string | undefined;
  /** Receives new inbox items. */
  readonly webhook?: Webhook | undefined;
  readonly logger?: Logger;
  /** Clock for the accounts; set in tests. */
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
  '/inbox',
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
  '/notebooks/{id}/graph',
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
  '/audit',
  '/sign-in',
  '/setup',
] as const;

/** Account errors whose HTTP status differs from the default status of their kind. */
const statuses: Statuses = {
  CREDENTIALS_WRONG: 401,
  SESSION_INVALID: 401,
  TOKEN_INVALID: 401,
  SETUP_LINK_INVALID: 403,
  ACCOUNT_DISABLED: 403,
  OIDC_NO_ROLE: 403,
  OIDC_SIGN_IN_FAILED: 401,
  LOGIN_THROTTLED: 429,
};

/**
 * How long a request waits for the write lock. Shorter than for commands, because an HTTP client must not wait long.
 */
const LOCK_TIMEOUT_MS = 5 * SECOND;

const SWEEP_EVERY = 10 * MINUTE;

/** Composes the server without listening. */
export async function openHub(options: HubOptions): Promise<Hub> {
  const { home } = options;
  // Opening a database file creates its folder; opening a database on a server does not.
  makeFolder(home);
  const databases = new Databases(home, options.env ?? {});
  const engine = await openAccountsEngine(databases.locate('accounts'), LOCK_TIMEOUT_MS);
  const keyspace = await openAccountsKeyspace(engine);
  const { logger = createLogger({ level: 'warn' }) } = options;
  const clock = options.clock ?? systemClock;
  const damage = new LogThrottle();
  const accounts = await openAccounts({
    keyspace,
    clock,
    onUnreadable: (_key, error) => {
      if (damage.allows(String(error))) logger.warn({ err: error }, 'a damaged account record was left out');
    },
    onBackgroundError: (error) => logger.error({ err: error }, 'background work failed'),
  });
  const activity = new Broadcaster(activityFeed(databases), {
    onError: (error) => logger.error({ err: error }, 'activity feed failed'),
  });
  const hosted = options.apps ?? [];
  const { commandsFolder, oidc, overviews = new Map() } = options;
  const remote = [...(options.tools ?? []), ownTools(databases)];
  const folders = new Folders(options.folderRoots ?? []);
  const parts = { home, accounts, databases, activity, overviews, folders, commandsFolder, oidc, clock };
  const apps = [...hubApps(parts, hosted), ...hosted, mcpApp(remote)];
  const permissions = permissionsOf(apps, hosted);
  const revision = oncePerTurn(() => keyspace.engine.revision());
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
    proxySignIn: options.proxySignIn,
    // Does not store uploads in the system's temporary folder, which may be in memory.
    uploads: { folder: join(home, 'uploads') },
    readiness: readinessOf(engine),
  });
  const stopWatching = engine.onChange(() => {
    revision.forget();
    // A revoked token or session also loses its open streams.
    void server.streams.recheckAll();
  });
  const sweeper = accounts.startSweeper(SWEEP_EVERY, (error) =>
    logger.error({ err: error }, 'deleting expired data failed'),
  );
  const notifier = inboxNotifier(options.webhook, overviews, logger);
  return {
    server,
    accounts,
    databases,
    async close() {
      await notifier?.close();
      await sweeper.stop();
      stopWatching();
      await activity.close();
      await accounts.settled();
      await Promise.all([databases.close(), keyspace.close()]);
    },
  };
}

/**
 * Returns the permissions of all routes, and `app:NAME:admin` for each application: no route requires it, but
 * operations check it. Apps without routes have no permissions of their own; they serve other programs' clients with
 * the permissions of another app.
 */
function permissionsOf(apps: readonly App[], hosted: readonly App[]): readonly string[] {
  const asked = [...routeTable(apps).map(({ permission }) => permission), 'system:read'];
  const managed = hosted.filter(({ routes }) => routes.length > 0).map(({ name }) => `app:${name}:admin`);
  return [...new Set<string>([...asked, ...managed])];
}

/** Readiness checks. `accounts` fails if no primary answers, `standby` if every commit waits for a standby. */
function readinessOf(engine: AccountsEngine): readonly ReadinessCheck[] {
  const accounts: ReadinessCheck = {
    name: 'accounts',
    async check() {
      await engine.revision();
      return [];
    },
  };
  if (engine.replicationProblems === undefined) return [accounts];
  const standby: ReadinessCheck = {
    name: 'standby',
    async check() {
      const problems = (await engine.replicationProblems?.()) ?? [];
      const waiting = problems.find(({ kind }) => kind === 'waiting');
      if (waiting !== undefined) throw new Error(waiting.message);
      return problems.map(({ message }) => message);
    },
  };
  return [accounts, standby];
}

function inboxNotifier(
  webhook: Webhook | undefined,
  overviews: Everything['overviews'],
  logger: Logger,
): InboxNotifier | undefined {
  if (webhook === undefined) return undefined;
  const notifier = new InboxNotifier({ overviews }, webhook, (message) => logger.warn(message));
  void notifier.notify();
  return notifier;
}

function ownTools(databases: Databases): RemoteTools {
  return { server: mcpServer, permission: 'system:read', open: (caller) => tools(databases, caller) };
}

interface HubParts {
  readonly accounts: Accounts;
  readonly databases: Databases;
  readonly activity: Broadcaster;
  readonly overviews: Everything['overviews'];
  readonly folders: Folders;
  /** Folder that contains the demo's record. */
  readonly home?: string;
  readonly commandsFolder?: string | undefined;
  readonly oidc?: OidcProvider | undefined;
  readonly clock?: Clock;
}

/** Returns the hub's routes and those of the hosted applications. */
export function hubApps(parts: HubParts, hosted: readonly App[] = []): readonly App[] {
  const { accounts, databases, activity, overviews, folders, commandsFolder } = parts;
  const demo = { home: parts.home ?? '', folders, overviews };
  const about = { version: VERSION, commandsFolder };
  const oidc = new OidcFlow(accounts, parts.oidc, parts.clock ?? systemClock);
  const sessions = { accounts, cookiesFor: cookies, oidc };
  const all = Object.assign({}, ...hosted.map((app) => app.statuses), statuses) as Statuses;
  return [
    defineApp({
      name: 'auth',
      basePath: '/api/auth',
      statuses,
      routes: [...authRoutes(sessions), ...oidcRoutes(oidc)],
    }),
    defineApp({
      name: 'account',
      basePath: '/api/account',
      statuses,
      routes: [...accountRoutes(sessions), ...ownAccountRoutes(accounts), ...linkRoutes(accounts, oidc)],
    }),
    defineApp({ name: 'users', basePath: '/api/users', statuses, routes: userRoutes(accounts) }),
    defineApp({ name: 'errors', basePath: '', routes: errorsRoutes(all) }),
    defineApp({ name: 'overview', basePath: '/api', routes: overviewRoutes({ overviews, accounts }) }),
    defineApp({
      name: 'system',
      basePath: '/api/system',
      routes: systemRoutes(databases, activity, about, folders, demo),
    }),
  ];
}

async function siteOf(folder: string | undefined): Promise<Site | undefined> {
  return folder === undefined || !existsSync(folder) ? undefined : loadSite({ folder, pages });
}
