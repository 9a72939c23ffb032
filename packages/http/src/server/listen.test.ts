import { readFile } from 'node:fs/promises';
import { get } from 'node:https';
import { connect, createServer as createSocketServer } from 'node:net';

import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { RawClient } from '../../test/raw-client.ts';
import { appOf, sampleServer } from '../../test/sample-app.ts';
import { defineRoute, ok } from '../routes/route.ts';
import { listen, type Listening, type ListenOptions } from './listen.ts';
import type { ServerOptions } from './options.ts';

let open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.map((each) => each.close(100)));
  open = [];
});

async function started(options: Partial<ServerOptions> = {}, how: Partial<ListenOptions> = {}) {
  const { server, lines } = sampleServer(options);
  const listening = await listen(server, { port: 0, ...how });
  open.push(listening);
  return { server, lines, listening, ...listening };
}

describe('listening', () => {
  it('tells where, and answers there under every loopback name', async () => {
    const { url, port, host } = await started();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(host).toBe('127.0.0.1');
    for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
      const client = new RawClient(port);
      client.send(`GET /healthz HTTP/1.1\nHost: ${name}:${port}\nConnection: close\n\n`);
      await client.closed();
      expect(client.received).toMatch(/^HTTP\/1.1 200/);
    }
  });

  it('a rebound name, or the right name with another port, is refused on the socket', async () => {
    const { port } = await started();
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `localhost:${port + 1}`]) {
      const client = new RawClient(port);
      client.send(`GET /healthz HTTP/1.1\nHost: ${host}\nConnection: close\n\n`);
      await client.closed();
      expect(client.received).toMatch(/^HTTP\/1.1 421/);
    }
  });

  it('on a port that is taken is PORT_TAKEN, of the kind that exits with 5', async () => {
    const other = createSocketServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    const { server } = sampleServer();
    await expect(listen(server, { port })).rejects.toMatchObject({ code: 'PORT_TAKEN', kind: 'unavailable' });
    other.close();
  });

  it('on an address that this machine does not have is refused', async () => {
    const { server } = sampleServer({ trustedProxies: ['192.0.2.1'] });
    await expect(listen(server, { host: '192.0.2.77', port: 0 })).rejects.toMatchObject({
      code: 'ADDRESS_UNAVAILABLE',
    });
  });

  it.each(['0.0.0.0', '::', '192.168.1.1', 'example.com', ''])(
    'on "%s" without TLS or a named proxy is refused',
    async (host) => {
      const { server } = sampleServer();
      await expect(listen(server, { host, port: 0 })).rejects.toMatchObject({
        code: 'LISTEN_UNPROTECTED',
        kind: 'usage',
      });
    },
  );

  it('on every address needs to know its own name', async () => {
    const { server } = sampleServer({ origins: [], trustedProxies: ['127.0.0.1'] });
    await expect(listen(server, { host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'ORIGIN_INVALID' });
  });
});

describe('behind a named proxy', () => {
  const addressRoute = defineRoute({
    method: 'GET',
    path: '/address',
    permission: 'public',
    summary: 'x',
    responses: { 200: z.object({ address: z.string(), secure: z.boolean() }) },
    handler: ({ clientAddress, isSecure }) => ok({ address: clientAddress, secure: isSecure }),
  });

  it('believes what the proxy says about the client, and nothing else', async () => {
    const { port } = await started(
      { apps: [appOf(addressRoute)], origins: ['https://holdfast.example'], trustedProxies: ['127.0.0.1'] },
      { host: '0.0.0.0' },
    );
    const client = new RawClient(port);
    client.send(
      'GET /address HTTP/1.1\nHost: holdfast.example\nX-Forwarded-For: 6.6.6.6, 198.51.100.7\nConnection: close\n\n',
    );
    await client.closed();
    expect(client.received).toContain('{"address":"198.51.100.7","secure":true}');
    expect(client.received).toMatch(/strict-transport-security/i);
  });

  const userRoute = defineRoute({
    method: 'GET',
    path: '/user',
    permission: 'public',
    summary: 'x',
    responses: { 200: z.object({ user: z.string().nullable() }) },
    handler: ({ proxyUser }) => ok({ user: proxyUser ?? null }),
  });
  const secret = 'X-Holdfast-Proxy-Secret: the-secret-of-the-proxy';
  const refused = 'HTTP/1.1 403';

  it.each([
    ['the proxy names a user', ['127.0.0.1'], ['Remote-User: ada', secret], '{"user":"ada"}'],
    ['the proxy names nobody', ['127.0.0.1'], [secret], '{"user":null}'],
    ['the proxy sends an empty name', ['127.0.0.1'], ['Remote-User:', secret], '{"user":null}'],
    ['another program on the proxy’s machine names a user', ['127.0.0.1'], ['Remote-User: ada'], refused],
    ['the secret is wrong', ['127.0.0.1'], ['Remote-User: ada', `${secret}x`], refused],
    ['the secret is sent twice', ['127.0.0.1'], ['Remote-User: ada', secret, secret], refused],
    ['another machine knows the secret', ['192.0.2.1'], ['Remote-User: ada', secret], refused],
    ['another machine sends a different case', ['192.0.2.1'], ['REMOTE-USER: ada', secret], refused],
  ] as const)('sign-in by header: %s', async (_, trustedProxies, headers, expected) => {
    const proxySignIn = { header: 'Remote-User', secret: 'the-secret-of-the-proxy' };
    const { port } = await started({ apps: [appOf(userRoute)], trustedProxies, proxySignIn });
    const client = new RawClient(port);
    client.send(`GET /user HTTP/1.1\nHost: 127.0.0.1:${port}\n${headers.join('\n')}\nConnection: close\n\n`);
    await client.closed();
    expect(client.received).toContain(expected);
  });

  it('without the setting, the header means nothing', async () => {
    const { port } = await started({ apps: [appOf(userRoute)], trustedProxies: ['127.0.0.1'] });
    const client = new RawClient(port);
    client.send(`GET /user HTTP/1.1\nHost: 127.0.0.1:${port}\nRemote-User: ada\n${secret}\nConnection: close\n\n`);
    await client.closed();
    expect(client.received).toContain('{"user":null}');
  });

  it('talks to nobody but the proxy', async () => {
    const { port } = await started(
      { origins: ['https://holdfast.example'], trustedProxies: ['192.0.2.1'] },
      { host: '0.0.0.0' },
    );
    const received = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1');
      socket.write('GET /healthz HTTP/1.1\r\nHost: holdfast.example\r\n\r\n');
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    expect(received).toBe('');
  });

  it('without being named as a proxy, nobody is believed', async () => {
    const { port } = await started({ apps: [appOf(addressRoute)] });
    const client = new RawClient(port);
    client.send(
      `GET /address HTTP/1.1\nHost: 127.0.0.1:${port}\nX-Forwarded-For: 6.6.6.6\nX-Forwarded-Proto: https\nConnection: close\n\n`,
    );
    await client.closed();
    expect(client.received).toContain('{"address":"127.0.0.1","secure":false}');
  });
});

it('speaks TLS when it has a certificate', async () => {
  const [cert, key] = await Promise.all(
    ['cert.pem', 'key.pem'].map((name) => readFile(new URL(`../../test/tls/${name}`, import.meta.url))),
  );
  const { port, url } = await started({}, { tls: { cert: cert ?? '', key: key ?? '' } });
  expect(url).toBe(`https://127.0.0.1:${port}`);
  const response = await new Promise<{ status: number | undefined; transport: string | undefined }>(
    (resolve, reject) => {
      const request = get({ host: '127.0.0.1', port, path: '/healthz', ca: cert }, (message) => {
        message.resume();
        resolve({ status: message.statusCode, transport: message.headers['strict-transport-security'] });
      });
      request.on('error', reject);
    },
  );
  expect(response).toEqual({ status: 200, transport: 'max-age=31536000' });
});

describe('what is not HTTP', () => {
  it.each([
    ['nonsense', 'HELLO\n\n', 400],
    ['no Host', 'GET /healthz HTTP/1.1\n\n', 400],
    ['a Host that is no host', 'GET /healthz HTTP/1.1\nHost: a b\n\n', 400],
    ['headers without end', `GET / HTTP/1.1\nHost: x\nX-Big: ${'x'.repeat(20_000)}\n\n`, 431],
    ['two lengths', 'POST / HTTP/1.1\nHost: x\nContent-Length: 1\nContent-Length: 2\n\n', 400],
    ['a length and chunks', 'POST / HTTP/1.1\nHost: x\nContent-Length: 1\nTransfer-Encoding: chunked\n\n', 400],
  ])('%s is refused, and the connection closed', async (_what, text, status) => {
    const { port } = await started();
    const client = new RawClient(port);
    client.send(text);
    await client.closed();
    expect(client.received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(client.received).not.toMatch(/<|at .*\.ts/);
  });
});
