import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLogger, createServer, type Principal, type Server } from '@holdfast/http';
import sharp from 'sharp';

import { engines } from '../src/engines.ts';
import { audiobooksApp } from '../src/http/index.ts';
import { type Audiobooks, openAudiobooks } from '../src/service/audiobooks.ts';
import { libraryAt } from '../src/service/libraries.ts';
import { scanLibrary } from '../src/service/scan-library.ts';
import { taggedMp3 } from './tagged.ts';
import { plant, type Tree } from './tree.ts';

/** What the roles of the accounts come to here. */
export const PEOPLE = {
  vera: ['app:audiobooks:read'],
  ada: ['app:audiobooks:read', 'app:audiobooks:write'],
  bob: ['app:audiobooks:read', 'app:audiobooks:write'],
  owner: ['app:audiobooks:read', 'app:audiobooks:write', 'app:audiobooks:admin'],
} as const;
export type Person = keyof typeof PEOPLE;

export interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Undefined is somebody who is not signed in. */
  readonly as?: Person | undefined;
}

export interface Served {
  readonly home: string;
  readonly app: Audiobooks;
  readonly server: Server;
  /** Where the libraries lie, by their names. */
  readonly roots: Readonly<Record<string, string>>;
  readonly libraries: Readonly<Record<string, string>>;
  ask(path: string, asked?: Asked): Promise<Response>;
  /** The JSON of a successful answer. */
  get<T>(path: string, as?: Person): Promise<T>;
  close(): Promise<void>;
}

const HEADER = 'x-test-person';

/** A library served as the hub serves it, with real files, and people named by a header in place of sessions. */
export async function serve(trees: Readonly<Record<string, Tree>>, log: string[] = []): Promise<Served> {
  const home = mkdtempSync(join(tmpdir(), 'audiobooks-http-'));
  const app = await openAudiobooks(join(home, 'data'), engines, {});
  const server = createServer({
    apps: [audiobooksApp(app)],
    authenticate: ({ headers }) => principalOf(headers.get(HEADER)),
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
      // Files are known by their sound: each has one of its own.
      if (path.endsWith('.mp3') && typeof tags !== 'string')
        writeFileSync(join(root, path), taggedMp3(tags ?? {}, tone++));
    }
    for (const folder of new Set(Object.keys(tree).map((path) => path.slice(0, path.lastIndexOf('/'))))) {
      writeFileSync(join(root, folder, 'cover.png'), await picture(name));
    }
    const library = await libraryAt(app.catalogue, root);
    await scanLibrary(app.catalogue, engines, { library, by: 'test' });
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
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function principalOf(name: string | null): Principal | undefined {
  if (name === null || !Object.hasOwn(PEOPLE, name)) return undefined;
  return { userId: `user-${name}`, name, permissions: new Set(PEOPLE[name as Person]), kind: 'token' };
}

function picture(seed: string): Promise<Buffer> {
  const background = { r: seed.length * 16, g: 80, b: 120 };
  return sharp({ create: { width: 700, height: 500, channels: 3, background } })
    .png()
    .toBuffer();
}
