/** `/mcp/NAME`, driven by the protocol's own client against a running server. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import { temporaryHome } from '../../test/hub.ts';
import { command, get, serve, tokenFor } from '../../test/server-process.ts';

type Mode = 'auto' | 'legacy';

async function connect(url: string, token: string, mode: Mode = 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<[string, boolean]> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return [first?.text ?? '', isError === true];
}

async function names(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

/** Returns a new user's token. */
function userToken(home: string, name: string, role: string): string {
  expect(command(home, ['user', 'add', name, '--role', role], 'a fine long password\n').code).toBe(0);
  const made = command(home, ['token', 'create', '--user', name, '--name', 'agent', '--scope', 'write', '--json']);
  return (JSON.parse(made.stdout) as { data: { secret: string } }).data.secret;
}

/** Runs another of this package's commands in a project folder next to the home. */
function inProject<Data>(home: string, name: string, ...args: string[]): Data {
  const path = resolve(import.meta.dirname, '../../../../dist/bin', name);
  const project = join(home, '../project');
  mkdirSync(project, { recursive: true });
  const env = { ...process.env, HOLDFAST_HOME: home };
  const { stdout } = spawnSync(path, [...args, '--json'], { cwd: project, env, encoding: 'utf8' });
  return (JSON.parse(stdout) as { data: Data }).data;
}

function startPlan(home: string): string {
  return inProject<{ session: { sid: string } }>(home, 'np', 's').session.sid;
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Uses node:http, because fetch sets Host and Origin itself. */
async function post(url: string, { headers = {}, body = '{}' }: Sent): Promise<{ status: number; text: string }> {
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
    sent.on('error', fail).on('response', done).end(body);
  });
  return { status: response.statusCode ?? 0, text: await text(response) };
}

describe('tools over HTTP', () => {
  it.each<Mode>(['auto', 'legacy'])('serve every application to a %s client', async (mode) => {
    const home = temporaryHome();
    const token = tokenFor(home);
    const sid = startPlan(home);
    const { url } = await serve(home, '--port', '0');
    const utask = await connect(`${url}/mcp/utask`, token, mode);
    expect(utask.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    expect(utask.getInstructions()).toContain('task list');
    expect(await call(utask, 'add_task', { text: 'from afar' })).toEqual([expect.stringContaining('from afar'), false]);
    const plan = await connect(`${url}/mcp/np?session=${sid}`, token, mode);
    expect(await names(plan)).toContain('add_tasks');
    expect(await names(plan), 'needs a directory of this machine').not.toContain('start_session');
    expect((await call(plan, 'add_tasks', { tasks: [{ title: 'One' }] }))[0]).toContain('One');
    expect((await call(plan, 'read_log'))[0]).toContain('One');
    inProject(home, 'ringmaster', 'init');
    const { data } = (await (await get(`${url}/api/ringmaster/workspaces`, token)).json()) as {
      data: { id: string }[];
    };
    const ringmaster = await connect(`${url}/mcp/ringmaster?workspace=${data[0]?.id}`, token, mode);
    expect((await call(ringmaster, 'add', { title: 'From afar' }))[1]).toBe(false);
    expect((await call(ringmaster, 'ready'))[0]).toContain('From afar');
    expect(await call(await connect(`${url}/mcp/codex`, token, mode), 'notebooks')).toEqual(['No notebooks.', false]);
    expect((await call(await connect(`${url}/mcp/audiobooks`, token, mode), 'list_books'))[1]).toBe(false);
    expect((await call(await connect(`${url}/mcp/holdfast`, token, mode), 'databases'))[0]).toContain('accounts');
  });

  it('offer what the token may do, and refuse the rest with the missing permission', async () => {
    const home = temporaryHome();
    tokenFor(home);
    const { url } = await serve(home, '--port', '0');
    const [reader, writer] = [userToken(home, 'reader', 'viewer'), userToken(home, 'writer', 'user')];
    const [reading, writing] = [await connect(`${url}/mcp/utask`, reader), await connect(`${url}/mcp/utask`, writer)];
    expect(await names(reading)).toEqual(['list_tasks', 'show_task']);
    expect(await names(writing)).toContain('add_task');
    const refused = [expect.stringMatching(/^FORBIDDEN: .*app:utask:write/u), true];
    expect(await call(reading, 'add_task', { text: 'no' })).toEqual(refused);
    expect((await call(writing, 'add_task', { text: 'yes' }))[1]).toBe(false);
    expect((await call(reading, 'list_tasks'))[0]).toMatch(/"total":1.*"yes"/u);
    await expect(connect(`${url}/mcp/holdfast`, writer)).rejects.toThrow(/403/u);
    const revoked = command(home, ['user', 'disable', 'writer']);
    expect(revoked.code).toBe(0);
    await expect(call(writing, 'list_tasks')).rejects.toThrow(/401|UNAUTHENTICATED/u);
  });

  it('serve several agents at once', async () => {
    const home = temporaryHome();
    const token = tokenFor(home);
    const sid = startPlan(home);
    const { url } = await serve(home, '--port', '0');
    const clients = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        connect(`${url}/mcp/np?session=${sid}`, token, index % 2 === 0 ? 'auto' : 'legacy'),
      ),
    );
    const results = await Promise.all(
      clients.flatMap((client, agent) =>
        [1, 2, 3].map((each) => call(client, 'add_tasks', { tasks: [{ title: `task ${agent}.${each}` }] })),
      ),
    );
    expect(results.filter(([, isError]) => isError)).toEqual([]);
    const [plan] = await call(clients[0]!, 'show_plan');
    expect(plan).toContain('0 of 24 done');
  });

  it('continue for a connected agent after the server was killed', async () => {
    const home = temporaryHome();
    const token = tokenFor(home);
    const first = await serve(home, '--port', '0');
    const { port } = new URL(first.url);
    const clients = [
      await connect(`${first.url}/mcp/utask`, token, 'auto'),
      await connect(`${first.url}/mcp/utask`, token, 'legacy'),
    ];
    for (const client of clients) expect((await call(client, 'add_task', { text: 'before' }))[1]).toBe(false);
    first.child.kill('SIGKILL');
    await first.ended;
    for (const client of clients) await expect(call(client, 'list_tasks')).rejects.toThrow('fetch failed');
    await serve(home, '--port', port);
    for (const client of clients) expect((await call(client, 'list_tasks'))[0]).toContain('"total":2');
  });
});

describe('/mcp/NAME', () => {
  it('refuses strangers, other sites, foreign hosts and large bodies before it reads them', async () => {
    const home = temporaryHome();
    const token = tokenFor(home);
    const { url } = await serve(home, '--port', '0');
    const authorization = `Bearer ${token}`;
    const ask = async (sent: Sent, path = '/mcp/utask'): Promise<string> => {
      const { status, text: answer } = await post(`${url}${path}`, sent);
      return `${status} ${(JSON.parse(answer) as { code?: string }).code ?? answer}`;
    };
    expect(await ask({})).toBe('401 UNAUTHENTICATED');
    expect(await ask({ headers: { authorization: 'Bearer hft_wrong' } })).toBe('401 UNAUTHENTICATED');
    expect(await ask({ headers: { authorization, origin: 'https://evil.example' } })).toBe('403 CROSS_ORIGIN_REFUSED');
    expect(await ask({ headers: { authorization, host: 'evil.example' } })).toMatch(/^4\d\d HOST_NOT_ALLOWED$/u);
    expect(await ask({ headers: { authorization }, body: ' '.repeat(2 ** 20 + 1) })).toBe('413 BODY_TOO_LARGE');
    expect(await ask({ headers: { authorization, 'transfer-encoding': 'chunked' } })).toBe('413 BODY_TOO_LARGE');
    expect(await ask({ headers: { authorization } }, '/mcp/nothing')).toBe('404 ROUTE_NOT_FOUND');
    expect(await ask({ headers: { authorization } }, `/mcp/utask?token=${token}`)).toBe('400 TOKEN_IN_URL');
    expect(await ask({ headers: { authorization } }, '/mcp/np')).toMatch(/ INPUT_INVALID$/u);
    expect(await ask({ headers: { authorization } }, '/mcp/np?session=NOPE')).toBe('404 SESSION_NOT_FOUND');
    expect(await ask({ headers: { authorization } }, '/mcp/ringmaster')).toMatch(/ INPUT_INVALID$/u);
    expect(await ask({ headers: { authorization } }, '/mcp/ringmaster?workspace=NOPE')).toBe('404 WORKSPACE_NOT_FOUND');
    const broken = await post(`${url}/mcp/utask`, {
      headers: { authorization, accept: 'application/json, text/event-stream' },
      body: '{',
    });
    expect(broken.status).toBe(400);
    expect(broken.text).toContain('-32700');
  });
});
