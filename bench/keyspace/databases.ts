import { type Keyspace, openKeyspace, sqliteEngine } from '@holdfast/keyspace';

import { ByHand } from './by-hand.ts';
import { schema } from './workload.ts';

export type Synchronous = 'FULL' | 'OFF';

export async function openOurs(path: string, synchronous: Synchronous = 'FULL'): Promise<Keyspace> {
  return openKeyspace({ engine: await sqliteEngine({ path, synchronous }), schema });
}

/** Holdfast creates the tables, so both sides have the same. */
export async function openByHand(path: string, synchronous: Synchronous = 'FULL'): Promise<ByHand> {
  await (await openOurs(path)).close();
  return new ByHand(path, synchronous);
}
