/** `np mcp`, driven through a plan by the protocol's own client. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listKeys, openNp } from '../src/index.ts';
import { MCP_INSTRUCTIONS, PRIME } from '../src/model/guidance.ts';
import { newPlace, npPath, type Place } from './built-np.ts';

async function connect(place: Place, mode: 'auto' | 'legacy' = 'legacy'): Promise<Client> {
  const known = Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [npPath, 'mcp'],
      cwd: place.project,
      env: Object.fromEntries(known),
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

/** Average for English and JSON. */
const CHARACTERS_PER_TOKEN = 4;

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<[string, boolean]> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return [first?.text ?? '', isError === true];
}

describe('np mcp', () => {
  it('offers tools that cost few tokens, together with the guidance for commands', async () => {
    const client = await connect(newPlace());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'start_session',
      'show_plan',
      'set_goal',
      'update_goal',
      'add_tasks',
      'update_tasks',
      'move_task',
      'delete_task',
      'claim_task',
      'release_task',
      'read_log',
      'archive_session',
    ]);
    const carried = JSON.stringify(tools) + MCP_INSTRUCTIONS + PRIME;
    expect(carried.length / CHARACTERS_PER_TOKEN).toBeLessThan(1_200);
    expect(client.getServerVersion()).toMatchObject({ name: 'np' });
    expect(client.getInstructions()).toContain('plan of this directory');
  });

  it('takes a client through a plan, which the command sees', async () => {
    const place = newPlace();
    const client = await connect(place);
    expect(await call(client, 'show_plan')).toEqual([expect.stringContaining('NO_SESSION'), true]);
    expect((await call(client, 'start_session'))[0]).toContain('Started');
    await call(client, 'set_goal', { title: 'Ship', description: 'issue 4' });
    const [added] = await call(client, 'add_tasks', { tasks: [{ title: 'One', description: 'x' }, { title: 'Two' }] });
    const ids = Array.from(added.matchAll(/☐ ([0-9a-f]{6}) /gu), ([, id]) => id!);
    expect(ids).toHaveLength(2);
    expect(await call(client, 'update_tasks', { updates: [{ id: ids[0], status: 'failed' }] })).toEqual([
      expect.stringContaining('REASON_REQUIRED'),
      true,
    ]);
    const updates = [
      { id: ids[0], status: 'completed' },
      { id: ids[1], status: 'failed', reason: 'no access' },
    ];
    expect((await call(client, 'update_tasks', { updates }))[0]).toMatch(/☑ \w+ One[^]*☒ \w+ Two[^]*1 of 2 done/u);
    expect((await call(client, 'update_goal', { title: 'Ship it', reason: 'clearer' }))[0]).toContain('Goal: Ship it');
    expect((await call(client, 'show_plan'))[0]).toMatch(/Goal: Ship it\nissue 4[^]*☒ \w+ Two\n {2}because no access/u);
    expect((await call(client, 'read_log'))[0]).toContain('because no access');
    expect(place.np(['p']).stdout).toContain('Goal: Ship it');
    expect((await call(client, 'archive_session'))[0]).toContain('is archived');
    expect(place.data<{ problems: unknown[] }>(['verify']).problems).toEqual([]);
  });

  it('lets agents claim and release tasks, and binds the others', async () => {
    const place = newPlace();
    place.np(['s']);
    const { id } = place.data<{ tasks: { id: string }[] }>(['t', 'a', '-t', 'One']).tasks[0]!;
    const clientOf = (name: string) => connect({ ...place, env: { ...place.env, NP_ACTOR: name } });
    const [ada, bob] = [await clientOf('ada'), await clientOf('bob')];
    expect((await call(ada, 'claim_task', { id, for: '30m' }))[0]).toContain('(claimed by ada until ');
    expect(await call(bob, 'claim_task', { id })).toEqual([expect.stringContaining('TASK_CLAIMED'), true]);
    expect((await call(ada, 'release_task', { id }))[0]).toContain(`☐ ${id} One`);
    expect((await call(bob, 'claim_task', { id }))[0]).toContain('(claimed by bob)');
  });

  it('reads around a damaged task and names it, as np prime does', async () => {
    const place = newPlace();
    place.np(['s']);
    const [{ id }] = place.data<{ tasks: [{ id: string }] }>(['t', 'a', '-t', 'One', '-t', 'Two']).tasks;
    const np = await openNp({ path: join(place.home, 'np.db') });
    const stored = (await listKeys(np, 's/')).find(({ key }) => key.endsWith(`/task/${id}`));
    await np.store.transact(async (tx) => tx.writeKey(stored!.key, '{"broken'));
    await np.close();
    const client = await connect(place);
    expect(await call(client, 'show_plan')).toEqual([expect.stringMatching(/ Two\n[^]*\nSkipped: .*damaged/u), false]);
    const [added, hasFailed] = await call(client, 'add_tasks', { tasks: [{ title: 'Three' }] });
    expect([added, hasFailed]).toEqual([expect.stringMatching(/ Three\n[^]*\nSkipped: .*damaged/u), false]);
    expect(place.np(['prime']).stdout).toMatch(/## Current plan\n[^]* Two\n[^]*Skipped: .*damaged/u);
    expect(place.np(['status', '--line']).stdout).toContain('0/3');
  });

  it('speaks the current revision and the ones before', async () => {
    const place = newPlace();
    place.np(['s']);
    const current = await connect(place, 'auto');
    expect(current.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(current.getInstructions()).toContain('plan of this directory');
    expect((await call(current, 'show_plan'))[0]).toContain('No goal set yet.');
    const earlier = await connect(place, 'legacy');
    expect(earlier.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect((await call(earlier, 'show_plan'))[0]).toContain('No goal set yet.');
  });

  it('answers what it does not understand as the protocol says, and notifications not at all', () => {
    const lines = [
      'not json',
      '{"jsonrpc":"2.0","method":"notifications/unknown"}',
      '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"nothing"}}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add_tasks","arguments":{"tasks":"x"}}}',
      '{"jsonrpc":"2.0","id":4,"method":"ping"}',
      '{"id":5}',
      '\xff',
      '[]',
    ];
    const { stdout, code } = newPlace().np(['mcp'], { input: Buffer.from(`${lines.join('\n')}\n`, 'latin1') });
    expect(code).toBe(0);
    expect(answersIn(stdout)).toMatchObject([
      { id: 1, error: { code: -32_601 } },
      { id: 2, error: { code: -32_602 } },
      { id: 3, result: { isError: true } },
      { id: 4, result: {} },
    ]);
  });

  it('completes and answers every call in order when the input ends', () => {
    const place = newPlace();
    const start = { jsonrpc: '2.0', id: 0, method: 'tools/call', params: { name: 'start_session' } };
    const additions = Array.from({ length: 20 }, (_, index) => ({
      jsonrpc: '2.0',
      id: index + 1,
      method: 'tools/call',
      params: { name: 'add_tasks', arguments: { tasks: [{ title: `task ${index + 1}` }] } },
    }));
    const input = [start, ...additions].map((each) => `${JSON.stringify(each)}\n`).join('');
    const { stdout, code } = place.np(['mcp'], { input });
    expect(code).toBe(0);
    expect(answersIn(stdout).map(({ id }) => id)).toEqual([0, ...additions.map(({ id }) => id)]);
    const { tasks } = place.data<{ tasks: { title: string }[] }>(['p']);
    expect(tasks.map(({ title }) => title)).toEqual(additions.map(({ id }) => `task ${id}`));
  });

  it('serves the session that --session names', () => {
    const place = newPlace();
    const { sid } = place.data<{ session: { sid: string } }>(['s']).session;
    const show = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_plan"}}\n';
    expect(place.np(['mcp', '--session', sid], { input: show, cwd: place.folder }).stdout).toContain(sid);
    const missing = place.np(['mcp', '--session', 'NOPE'], { input: show });
    expect(missing).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('SESSION_NOT_FOUND') });
  });
});

function answersIn(stdout: string): readonly Record<string, unknown>[] {
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return answers.toSorted((left, right) => Number(left['id']) - Number(right['id']));
}
