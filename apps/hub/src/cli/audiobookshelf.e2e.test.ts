import { copyFileSync, mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import * as shapes from '../../../audiobooks/test/audiobookshelf-clients.ts';
import { sound } from '../../../audiobooks/test/fixtures.ts';
import { temporaryHome } from '../../test/hub.ts';
import { command, serve, tokenFor } from '../../test/server-process.ts';

const PASSWORD = 'a fine long password';

/** Opens the socket of Audiobookshelf and returns the first bytes after the handshake. */
function openSocket(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const opening = request(`${url}/audiobookshelf/socket.io/?EIO=4&transport=websocket`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.from('sixteen bytes…').toString('base64').slice(0, 22) + '==',
      },
    });
    opening.on('upgrade', (response, socket, head) => {
      const done = (bytes: Buffer): void => {
        socket.destroy();
        resolve(`${response.statusCode} ${bytes.subarray(2).toString('latin1')}`);
      };
      if (head.length > 0) done(head);
      else socket.once('data', done);
    });
    opening.on('response', ({ statusCode }) => reject(new Error(`answered ${statusCode}`)));
    opening.on('error', reject);
    opening.end();
  });
}

it('apps for Audiobookshelf connect after they are enabled, and go on playing after kill -9', async () => {
  const home = temporaryHome();
  const library = join(dirname(home), 'books');
  mkdirSync(join(library, 'Jane Austen/Emma'), { recursive: true });
  copyFileSync(sound('mp3', { seconds: 20, tags: { album: 'Emma' } }), join(library, 'Jane Austen/Emma/1.mp3'));
  tokenFor(home);
  expect(command(home, ['user', 'add', 'ada', '--role', 'viewer'], `${PASSWORD}\n`).code).toBe(0);
  expect(command(home, ['audiobooks', 'scan', library]).code).toBe(0);
  expect(command(home, ['audiobooks', 'clients', 'status']).stdout).toContain('cannot connect');
  const first = await serve(home, '--port', '0');
  const { port } = new URL(first.url);
  const base = `${first.url}/audiobookshelf`;
  expect((await fetch(`${base}/status`)).status).toBe(404);
  expect(command(home, ['audiobooks', 'clients', 'on']).stdout).toContain('/audiobookshelf');
  shapes.status.parse(await (await fetch(`${base}/status`)).json());
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${base}/login`, {
    method: 'POST',
    headers: { ...json, 'x-return-tokens': 'true' },
    body: JSON.stringify({ username: 'ada', password: PASSWORD }),
  });
  const { user, userDefaultLibraryId } = shapes.login.parse(await login.json());
  const headers = { ...json, authorization: `Bearer ${user.accessToken}` };
  const read = async (path: string): Promise<unknown> => (await fetch(`${base}${path}`, { headers })).json();
  const post = (path: string, body: object) =>
    fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { results } = shapes.itemPage.parse(await read(`/api/libraries/${userDefaultLibraryId}/items?limit=10`));
  const item = results[0]?.id ?? '';
  const device = { deviceInfo: { deviceId: 'phone', manufacturer: 'Acme', model: 'One', clientVersion: '1' } };
  const session = shapes.playSession.parse(await (await post(`/api/items/${item}/play`, device)).json());
  const track = `${base}${session.audioTracks[0]?.contentUrl}`;
  expect((await fetch(track, { headers: { range: 'bytes=100-199' } })).status).toBe(206);
  expect(await (await post(`/api/session/${session.id}/sync`, { currentTime: 5, timeListened: 5 })).text()).toBe('OK');
  expect(await openSocket(first.url)).toMatch(/^101 .*0\{"sid"/u);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await serve(home, '--port', port);
  expect((await fetch(track, { headers: { range: 'bytes=-10' } })).status).toBe(206);
  expect(await (await post(`/api/session/${session.id}/sync`, { currentTime: 8, timeListened: 3 })).text()).toBe('OK');
  expect(shapes.mediaProgress.parse(await read(`/api/me/progress/${item}`)).currentTime).toBe(8);
  expect(command(home, ['audiobooks', 'clients', 'off']).code).toBe(0);
  expect((await fetch(`${base}/status`)).status).toBe(404);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});
