import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { delay } from '@holdfast/base';
import { sharedServer } from '@holdfast/postgres/test-server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { temporaryHome } from '../../test/hub.ts';
import { certificate, fetchSecurely, folderFor, freePort, recipeOf, startNginx } from '../../test/nginx.ts';
import { command, serve, tokenFor } from '../../test/server-process.ts';

const guide = resolve(import.meta.dirname, '../../../../docs/scaling.md');
const PASSWORD = 'a fine long password';

type Server = Awaited<ReturnType<typeof serve>>;

/** Three servers with their own data homes on one PostgreSQL database, behind nginx with the guide's configuration. */
class Cluster {
  readonly folder: string;
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly servers: Server[];
  readonly #homes: readonly string[];

  private constructor(parts: Pick<Cluster, 'folder' | 'url' | 'ca' | 'token' | 'servers'>, homes: readonly string[]) {
    [this.folder, this.url, this.ca] = [parts.folder, parts.url, parts.ca];
    [this.token, this.servers, this.#homes] = [parts.token, parts.servers, homes];
  }

  static async start(): Promise<Cluster> {
    const homes = [temporaryHome(), temporaryHome(), temporaryHome()];
    const folder = folderFor(homes[0]!);
    const { cert, key } = certificate(folder, 'proxy');
    const url = `https://localhost:${await freePort()}`;
    // Starts all servers at once, as after a power cut. Each server creates the tables if they are missing.
    const servers = await Promise.all(homes.map((home) => startServer(home, url, '0')));
    const site = servers.reduce(
      (text, server, index) => text.replaceAll(`10.0.0.${index + 1}:4870`, new URL(server.url).host),
      recipeOf(guide),
    );
    await startNginx({ folder, site, url, cert, key });
    return new Cluster({ folder, url, ca: cert, token: tokenFor(homes[0]!), servers }, homes);
  }

  /** Starts a server again, at the same address. */
  async restart(index: number): Promise<void> {
    const { port } = new URL(this.servers[index]!.url);
    this.servers[index] = await startServer(this.#homes[index]!, this.url, port);
  }

  addUser(name: string): number | null {
    return command(this.#homes[1]!, ['user', 'add', name, '--role', 'user'], `${PASSWORD}\n`).code;
  }

  /** Sends a request through nginx. */
  ask(path: string, method = 'GET', body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    const all = { authorization: `Bearer ${this.token}`, ...headers };
    return fetchSecurely(`${this.url}${path}`, { ca: this.ca, method, body, headers: all });
  }
}

function startServer(home: string, url: string, port: string): Promise<Server> {
  return serve(home, '--port', port, '--origin', url, '--trusted-proxy', '127.0.0.1', '--apps', 'np');
}

/** Reads an event stream from one server. */
class Stream {
  text = '';
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();

  constructor(url: string, headers: Readonly<Record<string, string>>) {
    this.ended = this.#read(url, headers);
  }

  async #read(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
    try {
      const response = await fetch(url, { headers, signal: this.#abort.signal });
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) this.text += decoder.decode(chunk as Uint8Array, { stream: true });
    } catch {
      // The server was killed, or the test closes the stream.
    }
  }

  get lastId(): string {
    return (
      this.text
        .match(/^id: (.*)$/gmu)
        ?.at(-1)
        ?.slice(4) ?? ''
    );
  }

  get titles(): readonly string[] {
    return [...this.text.matchAll(/"title":"(.*?)"/gu)].map(([, title]) => title ?? '');
  }

  close(): void {
    this.#abort.abort();
  }
}

let cluster: Cluster;
beforeEach(async () => {
  vi.stubEnv('HOLDFAST_STORE', `${(await sharedServer()).address()}?installation=many-${process.pid}`);
  cluster = await Cluster.start();
});
afterEach(() => void vi.unstubAllEnvs());

/** The function that applies commits, as in version 1 of the functions, which had no number. */
const olderFunctions = `COMMENT ON FUNCTION holdfast_now() IS NULL;
CREATE OR REPLACE FUNCTION holdfast_apply(
  given_space int, known bigint, keys text[], texts text[], contents bytea[],
  new_keys text[], new_texts text[], new_contents bytea[], deleted text[], changes text[], ids uuid[], notes text[]
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO holdfast_key SELECT given_space, k, t, b FROM unnest(keys, texts, contents) AS given(k, t, b)
    ON CONFLICT (space, key) DO UPDATE SET text = EXCLUDED.text, bytes = EXCLUDED.bytes;
  INSERT INTO holdfast_key SELECT given_space, k, t, b FROM unnest(new_keys, new_texts, new_contents) AS given(k, t, b);
  DELETE FROM holdfast_key WHERE space = given_space AND key = ANY (deleted);
  INSERT INTO holdfast_journal (space, revision, at, kind, changes, note, commit_id)
    SELECT given_space, known + n, holdfast_now(), 'keys', c, m, i
    FROM unnest(changes, ids, notes) WITH ORDINALITY AS given(c, i, m, n);
  UPDATE holdfast_space SET revision = known + cardinality(changes) WHERE id = given_space;
END $$`;

it('three servers behind nginx are one: sign-in, revocation, streams, a killed server and a rolling upgrade', async () => {
  const [one, two, three] = cluster.servers as [Server, Server, Server];
  expect(cluster.addUser('ada')).toBe(0);

  // Ada signs in on one server, and all servers accept her session.
  const signedIn = await fetch(`${one.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: one.url },
    body: JSON.stringify({ name: 'ada', password: PASSWORD }),
  });
  expect(signedIn.status).toBe(200);
  const cookie =
    signedIn.headers
      .getSetCookie()
      .find((set) => set.includes('session='))
      ?.split(';')[0] ?? '';
  const statusAt = async ({ url }: Server) => (await fetch(`${url}/api/account/me`, { headers: { cookie } })).status;
  expect(await Promise.all([one, two, three].map(statusAt))).toEqual([200, 200, 200]);

  // Ada signs out on the second server. All servers refuse her session, and her open stream on the third server ends.
  const hers = new Stream(`${three.url}/api/np/events`, { cookie });
  await expect.poll(() => hers.lastId).not.toBe('');
  const signedOut = await fetch(`${two.url}/api/auth/logout`, { method: 'POST', headers: { cookie, origin: two.url } });
  expect(signedOut.status).toBeLessThan(300);
  expect(await Promise.all([one, two, three].map(statusAt))).toEqual([401, 401, 401]);
  // 10 s is far less than the interval at which servers recheck streams, so the sign-out itself must end the stream.
  const end = delay(10_000).then(() => 'still open');
  expect(await Promise.race([hers.ended.then(() => 'ended'), end])).toBe('ended');

  // After the third server is killed, its stream continues on the second server, without gaps or repetitions.
  const directory = join(cluster.folder, 'work');
  mkdirSync(directory);
  const started = await cluster.ask('/api/np/sessions', 'POST', { directory });
  const { sid } = (JSON.parse(started.text) as { session: { sid: string } }).session;
  const tasks = `/api/np/sessions/${sid}/tasks`;
  const add = async (title: string): Promise<number | undefined> => {
    const headers = { 'idempotency-key': title };
    return (await cluster.ask(tasks, 'POST', { tasks: [{ title }] }, headers)).status;
  };
  const authorization = `Bearer ${cluster.token}`;
  const first = new Stream(`${three.url}/api/np/events`, { authorization });
  await expect.poll(() => first.lastId).not.toBe('');
  expect(await add('a')).toBe(200);
  await expect.poll(() => first.titles).toContain('a');
  three.child.kill('SIGKILL');
  await first.ended;
  // nginx notices that the third server is gone, and sends all requests to the other two.
  for (const title of ['b', 'c', 'd']) expect(await add(title)).toBe(200);
  const second = new Stream(`${two.url}/api/np/events`, { authorization, 'last-event-id': first.lastId });
  await expect.poll(() => second.titles).toEqual(['b', 'c', 'd']);
  second.close();

  // The database is as an older version left it. Each server is upgraded while a client writes; a repeated request is
  // not applied twice.
  await (await sharedServer()).run(olderFunctions);
  await cluster.restart(2);
  const over = new AbortController();
  let written = 0;
  const writing = (async () => {
    while (!over.signal.aborted) {
      const title = `n${written}`;
      while ((await add(title).catch(() => undefined)) !== 200);
      written += 1;
    }
  })();
  for (const [index, server] of cluster.servers.entries()) {
    const before = written;
    await expect.poll(() => written).toBeGreaterThan(before);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    await cluster.restart(index);
  }
  over.abort();
  await writing;
  const newest = await (await sharedServer()).run(`SELECT obj_description('holdfast_now()'::regprocedure)`);
  expect(newest).toEqual([['2']]);
  const listed = JSON.parse((await cluster.ask(tasks)).text) as { tasks: readonly { title: string }[] };
  const numbered = listed.tasks.map(({ title }) => title).filter((title) => /^n\d/u.test(title));
  expect(numbered.toSorted()).toEqual(Array.from({ length: written }, (_, index) => `n${index}`).toSorted());
  for (const { url } of cluster.servers) {
    const ready = await fetch(`${url}/readyz`);
    expect(await ready.json()).toEqual({ status: 'ready', checks: ['accounts', 'standby'], warnings: [] });
  }
});
