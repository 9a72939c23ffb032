import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { MEBIBYTE } from '@holdfast/base';

import type { Context, Figure } from '../lib/harness.ts';
import { opened } from './raw-client.ts';
import { requestText, type Served, startServer } from './served.ts';

/**
 * Workload: 1,000 idle connections to the activity stream, then one commit. Measured: how much the server's resident
 * memory grows with the connections, and the time from the commit call until the last connection has the event.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const count = context.quick ? 50 : 1_000;
  const served = await startServer(join(context.folder, 'home'));
  await pause(500);
  const before = await memoryOf(served);
  const listeners = await Promise.all(Array.from({ length: count }, () => listen(served)));
  await Promise.all(listeners.map(({ opened: isOpen }) => isOpen));
  await pause(2_000);
  const after = await memoryOf(served);
  const heard = Promise.all(listeners.map(({ commit }) => commit));
  const started = performance.now();
  const answer = await fetch(`http://127.0.0.1:${served.port}/api/utask/tasks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'x' }),
  });
  if (!answer.ok) throw new Error(`The commit failed: ${await answer.text()}`);
  await heard;
  const elapsed = performance.now() - started;
  for (const { socket } of listeners) socket.destroy();
  await served.stop();
  return [
    {
      name: 'hub.listeners.memory',
      value: (after - before) / MEBIBYTE,
      unit: 'MiB',
      baseline: `${(before / MEBIBYTE).toFixed(0)} MiB without listeners`,
      goal: 100,
      better: 'lower',
    },
    {
      name: 'hub.listeners.commit',
      value: elapsed,
      unit: 'ms',
      baseline: `${count} listeners, from the call that commits to the last of them`,
      goal: 1_000,
      better: 'lower',
    },
  ];
}

async function memoryOf({ port, token }: Served): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/api/system/info`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { memory_bytes: number }).memory_bytes;
}

interface Listener {
  readonly socket: Socket;
  /** Resolves when the server has sent the first bytes, so the stream misses no later commit. */
  readonly opened: Promise<unknown>;
  readonly commit: Promise<void>;
}

async function listen({ port, token }: Served): Promise<Listener> {
  const socket = await opened(port);
  const isOpen = once(socket, 'data');
  const commit = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      if (data.includes('"database":"utask"')) resolve();
    });
  });
  socket.write(requestText(port, '/api/system/activity', token));
  return { socket, opened: isOpen, commit };
}
