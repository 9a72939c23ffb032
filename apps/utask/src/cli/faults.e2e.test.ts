import { once } from 'node:events';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Person } from '../../test/command.ts';
import { NatsServer } from '../../test/nats.ts';
import { Proxy } from '../../test/proxy.ts';
import { connect, Kvm } from '../../test/raw-nats.ts';
import { openUtask } from '../service/open-utask.ts';

let server: NatsServer;
let proxy: Proxy;
beforeAll(async () => {
  server = await NatsServer.start();
  proxy = await Proxy.to(server.port);
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
});

it('the command fails with exit code 5, and repeating it makes no duplicate', async () => {
  const profile = 'faults';
  const direct = await openUtask({ url: server.url, databasePath: '', profile });
  const person = new Person({ UTASK_NATS_URL: proxy.url, UTASK_PROFILE: profile });
  proxy.cut();
  expect(await ran(person, 'ls')).toMatchObject({ code: 5, errors: expect.stringContaining('NATS_UNREACHABLE') });
  proxy.heal();
  proxy.fallSilent();
  expect(await ran(person, 'ls')).toMatchObject({ code: 5, errors: expect.stringContaining('NATS_UNREACHABLE') });
  proxy.heal();
  // The connection is lost after the start: requests arrive, answers do not.
  const adding = ran(person, 'add', 'once', '-t', 'a');
  while ((await direct.lists.shards('a')).length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  proxy.loseAnswers();
  const { code, errors } = await adding;
  expect([0, 5]).toContain(code);
  proxy.heal();
  if (code === 5) {
    expect(errors).toMatch(/OUTCOME_UNKNOWN|NATS_UNREACHABLE/);
    expect(await ran(person, 'add', 'once', '-t', 'a')).toMatchObject({ code: 0 });
  }
  expect(await direct.query({ any: ['a'] })).toHaveLength(1);
  expect(await direct.check()).toMatchObject({ tasks: 1, missing: [] });
  await direct.close();
});

/** The proxy runs in this process, which must not block on the command. */
async function ran(person: Person, ...args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const child = person.start(args);
  child.stdin.end();
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, errors };
}

it('a wrong address is said so, without the password', () => {
  const wrong = new Person({ UTASK_NATS_URL: 'nats://me:an@secret@127.0.0.1:1' }).ut('ls');
  expect(wrong).toMatchObject({ code: 5, stderr: expect.stringContaining('NATS_UNREACHABLE') });
  expect(wrong.stderr).not.toContain('secret');
  expect(new Person({ UTASK_NATS_URL: 'nats://[' }).ut('ls')).toMatchObject({ code: 2 });
});

it('a watch waits for a server that is not there yet, and names what is deleted', async () => {
  const later = await NatsServer.start();
  onTestFinished(() => later.stop());
  const person = new Person({ UTASK_NATS_URL: later.url });
  const { id } = person.add('Buy milk', 'errand');
  await later.halt();
  const watching = person.start(['watch']);
  const printed = { out: '', errors: '' };
  watching.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()));
  watching.stderr.on('data', (chunk: Buffer) => (printed.errors += chunk.toString()));
  await expect.poll(() => printed.errors, { timeout: 30_000 }).toContain('Waiting for the server');
  await later.resume();
  await expect.poll(() => printed.errors, { timeout: 30_000 }).toContain('Watching nats://');
  person.ut('rm', id);
  await expect.poll(() => printed.out, { timeout: 30_000 }).toBe(`deleted ${id.slice(0, 12)}  Buy milk  [errand]\n`);
  watching.kill('SIGTERM');
  await once(watching, 'close');
});

it('keys of other programs that are no ids are named whole and can be removed', async () => {
  const profile = 'foreign';
  const person = new Person({ UTASK_NATS_URL: server.url, UTASK_PROFILE: profile });
  const { id } = person.add('mine');
  const connection = await connect({ servers: server.url });
  onTestFinished(() => connection.close());
  const bucket = await new Kvm(connection).open(`utask_tasks_${profile}`);
  const keys = ['a-setting.of/another_program', 'ABCDEF', 'ab', 'x'];
  for (const key of keys) await bucket.put(key, 'not a task');
  const { stderr } = person.ut('ls');
  for (const key of keys) expect(stderr).toContain(`under ${key} is not a task`);
  expect(person.run(['check']).stdout).toContain(`invalid  ${keys[0]}`);
  for (const wildcard of ['>', '*', 'missing']) expect(person.ut('rm', wildcard).code, wildcard).toBe(2);
  expect(person.ut('rm', ...keys)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`(matched id ${keys[0]})`),
  });
  expect(person.ut('ls').stderr).toBe('');
  expect(person.data('ls')).toMatchObject([{ id }]);
});
