import { sealingKeys } from '../store/schema.ts';
import type { Dependencies } from './dependencies.ts';

const KEY_BYTES = 32;

/** Returns the key that all servers with these accounts share; the first call creates it. */
export async function sealingKey({ keyspace, random }: Dependencies): Promise<Uint8Array> {
  const stored =
    (await keyspace.get(sealingKeys, {})) ??
    (await keyspace.transact(async (transaction) => {
      const other = await transaction.get(sealingKeys, {});
      if (other !== undefined) return other;
      const made = Buffer.from(random.bytes(KEY_BYTES)).toString('base64');
      await transaction.put(sealingKeys, {}, made);
      return made;
    }));
  return Buffer.from(stored, 'base64');
}
