import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createUser } from '@nats-io/nkeys';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificates } from '../../test/certificates.ts';
import { Person, temporaryFolder, type Environment } from '../../test/command.ts';
import { makeOperator } from '../../test/credentials.ts';
import { NatsServer } from '../../test/nats.ts';

/**
 * Returns whether the tasks are accessible. Also checks that neither errors nor files contain the password, and that the
 * hint names what is wrong.
 */
function entry(env: Environment): 'open' | 'shut' {
  const person = new Person(env);
  const added = person.ut('add', 'behind a door', '-t', 'a', '--json');
  expect(added.stderr).not.toContain('s3cret');
  for (const file of readdirSync(person.home)) {
    expect(readFileSync(join(person.home, file), 'utf8'), file).not.toContain('s3cret');
  }
  if (added.code === 0) {
    expect(person.data('ls', '--any', 'a')).toHaveLength(1);
    return 'open';
  }
  expect(added).toMatchObject({ code: 5, stdout: '' });
  expect(added.stderr).toMatch(/"NATS_REFUSED".*Check the credentials|"NATS_UNREACHABLE".*the TLS files/s);
  return 'shut';
}

describe('a server that does not let everybody in', () => {
  const started = async (...extra: readonly string[]): Promise<NatsServer> => {
    const server = await NatsServer.start(...extra);
    onTestFinished(() => server.stop());
    return server;
  };

  it('takes a name and a password in the address, and no message repeats them', async () => {
    const { port } = await started('--user', 'ada', '--pass', 's3cret');
    const url = (user: string): Environment => ({ UTASK_NATS_URL: `nats://${user}127.0.0.1:${port}` });
    expect([url('ada:s3cret@'), url(''), url('ada:s3cret2@')].map(entry)).toEqual(['open', 'shut', 'shut']);
  });

  it('is believed by the authority that is named, and by no other', async () => {
    const certs = makeCertificates(temporaryFolder());
    const { port } = await started('--tls', '--tlscert', certs.serverCert, '--tlskey', certs.serverKey);
    const url = { UTASK_NATS_URL: `tls://127.0.0.1:${port}` };
    const other = makeCertificates(temporaryFolder());
    const trusting = (ca: string): Environment => ({ ...url, UTASK_TLS_CA: ca });
    expect([trusting(certs.ca), url, trusting(other.ca)].map(entry)).toEqual(['open', 'shut', 'shut']);
  });

  it('asks for the certificate of the client', async () => {
    const certs = makeCertificates(temporaryFolder());
    const tls = ['--tlscert', certs.serverCert, '--tlskey', certs.serverKey, '--tlscacert', certs.ca];
    const { port } = await started('--tlsverify', ...tls);
    const url = { UTASK_NATS_URL: `tls://127.0.0.1:${port}`, UTASK_TLS_CA: certs.ca };
    const client = { ...url, UTASK_TLS_CERT: certs.clientCert, UTASK_TLS_KEY: certs.clientKey };
    expect([client, url].map(entry)).toEqual(['open', 'shut']);
  });

  it('takes a credentials file', async () => {
    const { config, member, stranger } = makeOperator(temporaryFolder());
    const { url } = await started('-c', config);
    const doors = [{ UTASK_CREDS: member }, {}, { UTASK_CREDS: stranger }];
    expect(doors.map((creds) => entry({ UTASK_NATS_URL: url, ...creds }))).toEqual(['open', 'shut', 'shut']);
  });

  it('is reached through a context of the nats command, or NATS_URL', async () => {
    const user = await started('--user', 'ada', '--pass', 's3cret/@,');
    const token = await started('--auth', 's3cret-token');
    const config = temporaryFolder();
    mkdirSync(join(config, 'nats', 'context'), { recursive: true });
    const context = (name: string, values: object): Environment => {
      const empty = { description: '', token: '', user: '', password: '', creds: '', nkey: '', nsc: '' };
      writeFileSync(join(config, 'nats', 'context', `${name}.json`), JSON.stringify({ ...empty, ...values }));
      return { XDG_CONFIG_HOME: config, NATS_CONTEXT: name };
    };
    const { config: operated, member } = makeOperator(temporaryFolder());
    const creds = await started('-c', operated);
    const doors = [
      context('user', { url: user.url, user: 'ada', password: 's3cret/@,' }),
      context('wrong', { url: user.url, user: 'ada', password: 'other' }),
      context('token', { url: `127.0.0.1:${token.port}`, token: 's3cret-token' }),
      context('creds', { url: creds.url, creds: member }),
      { NATS_URL: `nats://s3cret-token@127.0.0.1:${token.port}`, UTASK_PROFILE: 'other' },
    ];
    expect(doors.map(entry)).toEqual(['open', 'shut', 'open', 'open', 'open']);
    const person = new Person({ XDG_CONFIG_HOME: config, NATS_URL: 'nats://127.0.0.1:1' });
    expect(person.ut('ls', '--context', 'user')).toMatchObject({ code: 0, stdout: expect.stringContaining('a door') });
    expect(person.ut('ls', '--embedded')).toMatchObject({ code: 0, stdout: '' });
    expect(person.ut('ls', '--context', '../user')).toMatchObject({ code: 2 });
    context('domain', { url: user.url, jetstream_domain: 'hub' });
    expect(person.ut('ls', '--context', 'domain')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('jetstream_domain'),
    });
    writeFileSync(join(person.home, 'utask.json'), JSON.stringify({ url: 'nats://127.0.0.1:2' }));
    expect(person.ut('ls').stderr, 'our file before variables of other programs').toContain('127.0.0.1:2');
  });

  it('takes an NKey of a context', async () => {
    const folder = temporaryFolder();
    const pair = createUser();
    writeFileSync(join(folder, 'user.nk'), `${Buffer.from(pair.getSeed()).toString()}\n`);
    writeFileSync(join(folder, 'nkeys.conf'), `authorization { users: [{ nkey: ${pair.getPublicKey()} }] }`);
    const { url } = await started('-c', join(folder, 'nkeys.conf'));
    mkdirSync(join(folder, '.config', 'nats', 'context'), { recursive: true });
    const path = join(folder, '.config', 'nats', 'context', 'key.json');
    writeFileSync(path, JSON.stringify({ url, nkey: '~/user.nk' }));
    const env = { HOME: folder, XDG_CONFIG_HOME: '' };
    expect([entry({ ...env, NATS_CONTEXT: 'key' }), entry({ ...env, NATS_URL: url })]).toEqual(['open', 'shut']);
  });
});
