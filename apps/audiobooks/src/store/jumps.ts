import type { Transaction } from '@holdfast/keyspace';
import type { Jump } from '../model/playback.ts';
import { jumps } from './definitions.ts';

const JUMPS_MAX = 20;

export async function rememberJump(
  tx: Transaction,
  key: { readonly user_id: string; readonly book_id: string },
  jump: Jump,
): Promise<void> {
  const known = (await tx.get(jumps, key))?.jumps ?? [];
  await tx.put(jumps, key, { jumps: [jump, ...known].slice(0, JUMPS_MAX), version: 1 });
}
