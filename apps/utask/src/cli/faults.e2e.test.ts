import { afterAll, beforeAll, expect, it } from 'vitest';
import { Person } from '../../test/command.ts';
import { NatsServer } from '../../test/nats.ts';
import { Proxy } from '../../test/proxy.ts';
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
