/** Keeps a database until it is killed. Argument: directory. */
import { placeOf } from '../../src/adapters/place.ts';
import { defaultConfig } from '../../src/model/config.ts';
import { keep } from '../../src/service/keep.ts';
import { openRingmaster } from '../../src/service/ringmaster.ts';
import { keeperOf } from '../../src/store/keeper.ts';

const [root = ''] = process.argv.slice(2);
const rm = await openRingmaster({
  place: placeOf(root, defaultConfig),
  clock: Date.now,
  random: Math.random,
  actor: { type: 'system', id: 'keeper' },
});
const kept = keep(rm, { signal: new AbortController().signal, pid: process.pid });
while (keeperOf(rm.store.reader) === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
process.stdout.write('keeping\n');
await kept;
