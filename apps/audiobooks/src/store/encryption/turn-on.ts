import { createHash } from 'node:crypto';
import { afterKey, type Engine, prefixSuccessor } from '@holdfast/keyspace';
import { audiobookErrors } from '../../model/errors.ts';
import { SEALABLE, type SealableName, Sealer } from './sealer.ts';
import { sealingEngine } from './sealing-engine.ts';

/** The encrypted fields, and a check value that identifies the key. */
interface EncryptionRecord {
  readonly names: readonly SealableName[];
  readonly key_check: string;
  readonly version: 1;
}

const KEY = 'meta:encryption';

/** Adds a sealer if the database is encrypted. */
export async function withEncryption(engine: Engine, secret: () => Uint8Array | undefined): Promise<Engine> {
  const stored = await engine.get(KEY);
  if (stored === undefined) return engine;
  const record = JSON.parse(String(stored)) as EncryptionRecord;
  const key = secret();
  if (key === undefined || keyCheck(key) !== record.key_check) {
    throw audiobookErrors.ENCRYPTION_KEY_MISSING(
      key === undefined ? 'The key file of this library is missing.' : 'The key file is not the one of this library.',
    );
  }
  return sealingEngine(engine, new Sealer(key, record.names), record.names);
}

const PAGE = 200;

/** Turns encryption on, then encrypts existing values page by page. Can be repeated after an interruption. */
export async function turnOnEncryption(
  engine: Engine,
  secret: Uint8Array,
  names: readonly SealableName[],
): Promise<number> {
  const sealer = new Sealer(secret, names);
  const record: EncryptionRecord = { names, key_check: keyCheck(secret), version: 1 };
  // From here on, every process encrypts its writes and can still read plain values.
  await write(engine, new Map([[KEY, JSON.stringify(record)]]));
  let count = 0;
  for (const prefix of names.flatMap((name) => Object.keys(SEALABLE[name]))) {
    let gte = prefix;
    for (;;) {
      const entries = await engine.range({ gte, lt: prefixSuccessor(prefix), limit: PAGE, reverse: false });
      const sealed = entries.flatMap(([key, value]) => {
        const after = typeof value === 'string' ? sealer.seal(key, value) : value;
        return after === value ? [] : [[key, value, after] as const];
      });
      if (!(await replace(engine, sealed))) continue;
      count += sealed.length;
      const last = entries.at(-1);
      if (last === undefined || entries.length < PAGE) break;
      gte = afterKey(last[0]);
    }
  }
  return count;
}

type Stored = string | Uint8Array;

/** Returns false if a value changed concurrently; the caller reads the page again. */
async function replace(engine: Engine, sealed: readonly (readonly [string, Stored, Stored])[]): Promise<boolean> {
  if (sealed.length === 0) return true;
  const reads = new Map(sealed.map(([key, before]) => [key, before]));
  const writes = new Map(sealed.map(([key, , after]) => [key, after]));
  return !(await engine.commit({ base: undefined, reads, ranges: [], writes, appends: [], additions: [] })).conflict;
}

async function write(engine: Engine, writes: ReadonlyMap<string, string>): Promise<void> {
  await engine.commit({ base: undefined, reads: new Map(), ranges: [], writes, appends: [], additions: [] });
}

function keyCheck(secret: Uint8Array): string {
  return createHash('sha256').update('holdfast audiobooks key check').update(secret).digest('hex').slice(0, 32);
}
