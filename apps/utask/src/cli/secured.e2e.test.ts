import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCertificates } from '../../test/certificates.ts';
import { Person, temporaryFolder, type Environment } from '../../test/command.ts';
import { makeOperator } from '../../test/credentials.ts';
import { NatsServer } from '../../test/nats.ts';

/** Returns whether the tasks are accessible; errors must not contain the password. */
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
  expect(added.stderr).toMatch(/"NATS_(REFUSED|UNREACHABLE)"/);
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
});
