import { join } from 'node:path';

import { Child } from '../lib/child.ts';
import { type Context, type Figure, median } from '../lib/harness.ts';
import { RawClient } from './raw-client.ts';
import { requestText, startServer } from './served.ts';

const CONNECTIONS = 16;
const PATH = '/api/account/me';

/**
 * Workload: 16 connections request a small JSON document in a closed loop. Ours: the built server, with a token that is
 * looked up, checked and matched with the route's permission each time. Baseline: a public Hono route in its own
 * process with the same JSON. Timed: requests per second seen by the client. The sides alternate.
 */
export async function benchmark(context: Context): Promise<readonly Figure[]> {
  const { quick, folder } = context;
  const served = await startServer(join(folder, 'home'));
  const answer = await fetch(`http://127.0.0.1:${served.port}${PATH}`, {
    headers: { authorization: `Bearer ${served.token}` },
  });
  const bare = await Child.start('bare-hono', [await answer.text()]);
  const barePort = await bare.ask<number>('port');
  const ours = await RawClient.open(served.port, requestText(served.port, PATH, served.token), CONNECTIONS);
  const baseline = await RawClient.open(barePort, requestText(barePort, '/'), CONNECTIONS);
  const requests = quick ? 500 : 8_000;
  const rates: { readonly our: number; readonly their: number }[] = [];
  for (let round = -2; round < (quick ? 3 : 9); round++) {
    const our = await ours.run(requests);
    const their = await baseline.run(requests);
    if (round >= 0) rates.push({ our, their });
  }
  ours.close();
  baseline.close();
  await bare.stop();
  await served.stop();
  const their = median(rates.map((rate) => rate.their));
  const our = median(rates.map((rate) => rate.our));
  return [
    {
      name: 'hub.authenticated_read',
      value: median(rates.map((rate) => rate.our / rate.their)),
      unit: '×',
      baseline: `a bare Hono route: ${their.toFixed(0)} requests/s (ours ${our.toFixed(0)})`,
      goal: 0.5,
      better: 'higher',
    },
  ];
}
