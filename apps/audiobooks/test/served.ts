import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Accounts, openAccounts, openAccountsKeyspace } from '@holdfast/accounts';
import { createLogger, createServer, type Principal, type Server } from '@holdfast/http';
import { sqliteEngine } from '@holdfast/keyspace';
import sharp from 'sharp';

import { audiobookshelfApp } from '../src/http/audiobookshelf/app.ts';
import { audiobooksApp } from '../src/http/index.ts';
import { type Audiobooks, type AudiobooksOptions, openAudiobooks, storeLocation } from '../src/service/audiobooks.ts';
import { libraryAt } from '../src/service/libraries.ts';
import { scanLibrary } from '../src/service/scan-library.ts';
import { taggedMp3 } from './tagged.ts';
import { plant, type Tree } from './tree.ts';

/** Users by name, with their role. */
const PEOPLE = { vera: 'viewer', ada: 'user', bob: 'user', owner: 'admin' } as const;
export type Person = keyof typeof PEOPLE;

/** Permissions of each role in this application. */
const PERMISSIONS: Readonly<Record<(typeof PEOPLE)[Person], readonly string[]>> = {
  viewer: ['app:audiobooks:read'],
  user: ['app:audiobooks:read', 'app:audiobooks:write'],
  admin: ['app:audiobooks:read', 'app:audiobooks:write', 'app:audiobooks:admin'],
};

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined sends the request without signing in. */
  readonly as?: Person | undefined;
}

export interface Served {
  readonly home: string;
  readonly app: Audiobooks;
  readonly server: Server;
  readonly accounts: Accounts;
  /** User ids by name. */
  readonly users: Readonly<Record<Person, string>>;
  /** Library folders by name. */
  readonly roots: Readonly<Record<string, string>>;
  readonly libraries: Readonly<Record<string, string>>;
  readonly ask: (path: string, asked?: Asked) => Promise<Response>;
  /** Returns the JSON of a successful response; throws otherwise. */
  readonly get: <T>(path: string, as?: Person) => Promise<T>;
  close(): Promise<void>;
}

const HEADER = 'x-test-person';

/** Serves libraries with real files, as the hub does. A request header names the user, in place of a session. */
export async function serve(
  trees: Readonly<Record<string, Tree>>,
  log: string[] = [],
  now: () => number = Date.now,
  options: Partial<AudiobooksOptions> = {},
): Promise<Served> {
  const home = mkdtempSync(join(tmpdir(), 'audiobooks-http-'));
  mkdirSync(join(home, 'data'), { mode: 0o700 });
  const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(home, 'data', 'accounts.db') }));
  const accounts = await openAccounts({ keyspace });
  const users = await addPeople(accounts);
  const onProblem = (error: unknown): void => void log.push(String(error));
  const location = storeLocation(join(home, 'data'), {});
  const app = await openAudiobooks({ ...location, inBackground: true, onProblem, now, ...options });
  const server = createServer({
    apps: [audiobooksApp(app), audiobookshelfApp(app)],
    authenticate: ({ headers }) => principalOf(users, headers.get(HEADER)),
    info: { title: 'test', version: '1' },
    logger: createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } }),
    origins: ['http://localhost'],
  });
  const roots: Record<string, string> = {};
  const libraries: Record<string, string> = {};
  let tone = 300;
  for (const [name, tree] of Object.entries(trees)) {
    const root = join(home, name);
    mkdirSync(root);
    plant(root, tree);
    for (const [path, tags] of Object.entries(tree)) {
      // The scan identifies files by their audio, so each needs a different tone.
      if (path.endsWith('.mp3') && typeof tags !== 'string') keep(join(root, path), taggedMp3(tags ?? {}, tone++));
    }
    const cover = await picture(name);
    const folders = new Set(Object.keys(tree).map((path) => path.slice(0, path.lastIndexOf('/'))));
    for (const folder of folders) keep(join(root, folder, 'cover.png'), cover);
    const library = await libraryAt(app, root);
    await scanLibrary(app, { library, by: 'test' });
    roots[name] = root;
    libraries[name] = library.id;
  }
  const ask: Served['ask'] = async (path, { method = 'GET', body, headers = {}, ...asked } = {}) =>
    server.request(`http://localhost/api/audiobooks${path}`, {
      method,
      headers: {
        ...('as' in asked && asked.as === undefined ? {} : { [HEADER]: asked.as ?? 'ada' }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    home,
    app,
    server,
    accounts,
    users,
    roots,
    libraries,
    ask,
    async get<T>(path: string, as: Person = 'ada') {
      const response = await ask(path, { as });
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as T;
    },
    async close() {
      server.dispose();
      await app.close();
      await accounts.settled();
      await keyspace.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function addPeople(accounts: Accounts): Promise<Record<Person, string>> {
  const owner = await accounts.createOwner({ username: 'owner' });
  const ids: Partial<Record<Person, string>> = { owner: owner.id };
  for (const name of ['vera', 'ada', 'bob'] as const) {
    ids[name] = (await accounts.createUser({ username: name, roles: [PEOPLE[name]] })).id;
  }
  return ids as Record<Person, string>;
}

function principalOf(users: Readonly<Record<Person, string>>, name: string | null): Principal | undefined {
  if (name === null || !Object.hasOwn(PEOPLE, name)) return undefined;
  const person = name as Person;
  return { userId: users[person], name, permissions: new Set(PERMISSIONS[PEOPLE[person]]), kind: 'token' };
}

/** Sets an old modification time, because a scan waits for files that were just written. */
function keep(path: string, bytes: Buffer): void {
  const longAgo = new Date('2020-01-01T00:00:00Z');
  writeFileSync(path, bytes);
  utimesSync(path, longAgo, longAgo);
}

function picture(seed: string): Promise<Buffer> {
  const background = { r: seed.length * 16, g: 80, b: 120 };
  return sharp({ create: { width: 700, height: 500, channels: 3, background } })
    .png()
    .toBuffer();
}
