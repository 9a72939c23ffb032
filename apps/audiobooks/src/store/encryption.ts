import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { afterKey, type CommitRequest, type Engine, type Entry, prefixSuccessor } from '@holdfast/keyspace';
import { audiobookErrors } from '../model/errors.ts';

/** Fields that can be encrypted. None of them is part of an index key. */
const SEALABLE = {
  description: { 'b:': ['description'], 'hist:': ['before', 'after'] },
  notes: { 'bm:': ['note'] },
  playlists: { 'pl:': ['name'] },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;
export type SealableName = keyof typeof SEALABLE;

const MARK = 'enc:1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts named fields of JSON values with AES-256-GCM.
 *
 * The nonce is derived from key, field and content, so equal values have equal ciphertext: the store detects conflicts
 * by comparing values. Key and field are authenticated, so a ciphertext cannot be moved to another record.
 */
export class Sealer {
  readonly #cipherKey: Uint8Array;
  readonly #nonceKey: Uint8Array;
  readonly #fieldsByPrefix = new Map<string, readonly string[]>();

  constructor(secret: Uint8Array, names: readonly SealableName[]) {
    this.#cipherKey = derive(secret, 'cipher');
    this.#nonceKey = derive(secret, 'nonce');
    for (const name of names) {
      for (const [prefix, fields] of Object.entries(SEALABLE[name])) this.#fieldsByPrefix.set(prefix, fields);
    }
  }

  seal(key: string, stored: string): string {
    const fields = this.#fieldsOf(key);
    if (fields === undefined) return stored;
    const value = JSON.parse(stored) as Record<string, unknown>;
    for (const field of fields) {
      const plain = value[field];
      if (plain === undefined || plain === null || isSealed(plain)) continue;
      value[field] = this.#encrypt(`${key}\n${field}`, JSON.stringify(plain));
    }
    return JSON.stringify(value);
  }

  open(key: string, stored: string): string {
    const fields = this.#fieldsOf(key);
    if (fields === undefined || !stored.includes(MARK)) return stored;
    const value = JSON.parse(stored) as Record<string, unknown>;
    for (const field of fields) {
      const sealed = value[field];
      if (isSealed(sealed)) value[field] = JSON.parse(this.#decrypt(`${key}\n${field}`, sealed)) as unknown;
    }
    return JSON.stringify(value);
  }

  #fieldsOf(key: string): readonly string[] | undefined {
    return this.#fieldsByPrefix.get(key.slice(0, key.indexOf(':') + 1));
  }

  #encrypt(place: string, plain: string): string {
    const nonce = createHmac('sha256', this.#nonceKey).update(`${place}\n${plain}`).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey, nonce).setAAD(Buffer.from(place));
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return MARK + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
  }

  #decrypt(place: string, sealed: string): string {
    const bytes = Buffer.from(sealed.slice(MARK.length), 'base64url');
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#cipherKey, nonce).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    } catch (error) {
      const [key = ''] = place.split('\n');
      throw audiobookErrors.ENCRYPTED_VALUE_DAMAGED(`The encrypted field of ${key} cannot be decrypted.`, {
        cause: error,
      });
    }
  }
}

function isSealed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(MARK);
}

function derive(secret: Uint8Array, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `holdfast audiobooks ${purpose}`, 32));
}

/** An engine that encrypts the named fields on writes and decrypts them on reads. */
interface SealingEngine extends Engine {
  readonly sealed: ReadonlySet<SealableName>;
}

type Stored = Entry[1];

function sealingEngine(engine: Engine, sealer: Sealer, names: readonly SealableName[]): SealingEngine {
  /** Values that are still stored in plain text. Conflict checks must compare the stored form. */
  const plain = new Map<string, Stored>();
  const open = (key: string, stored: Stored): Stored => {
    if (typeof stored !== 'string') return stored;
    const opened = sealer.open(key, stored);
    if (opened === stored && sealer.seal(key, stored) !== stored) plain.set(key, stored);
    else plain.delete(key);
    return opened;
  };
  const seal = (key: string, value: Stored): Stored => (typeof value === 'string' ? sealer.seal(key, value) : value);
  const asRead = (key: string, value: Stored): Stored => (plain.get(key) === value ? value : seal(key, value));
  const openEntry = ([key, stored]: Entry): Entry => [key, open(key, stored)];
  const maybe = (key: string, stored: Stored | undefined): Stored | undefined =>
    stored === undefined ? undefined : open(key, stored);
  return {
    ...engine,
    sealed: new Set(names),
    get: async (key) => maybe(key, await engine.get(key)),
    getMany: async (keys) => (await engine.getMany(keys)).map((stored, index) => maybe(keys[index] as string, stored)),
    range: async (range) => (await engine.range(range)).map(openEntry),
    async snapshot() {
      const snapshot = await engine.snapshot();
      return {
        revision: () => snapshot.revision(),
        get: async (key) => maybe(key, await snapshot.get(key)),
        getMany: async (keys) =>
          (await snapshot.getMany(keys)).map((stored, index) => maybe(keys[index] as string, stored)),
        range: async (range) => (await snapshot.range(range)).map(openEntry),
        release: () => snapshot.release(),
      };
    },
    commit: (request) => engine.commit(sealedRequest(request, seal, asRead)),
    async changes(since, limit) {
      const commits = await engine.changes(since, limit);
      return commits.map((commit) => ({
        ...commit,
        get changes() {
          return commit.changes.map(({ key, before, after }) => ({
            key,
            before: maybe(key, before),
            after: maybe(key, after),
          }));
        },
      }));
    },
  };
}

type Transform = (key: string, value: Stored) => Stored;

function sealedRequest(request: CommitRequest, seal: Transform, asRead: Transform): CommitRequest {
  const optional = (transform: Transform, key: string, value: Stored | undefined): Stored | undefined =>
    value === undefined ? undefined : transform(key, value);
  return {
    ...request,
    reads: new Map([...request.reads].map(([key, value]) => [key, optional(asRead, key, value)])),
    ranges: request.ranges.map(({ range, entries }) => ({
      range,
      entries: entries.map(([key, value]): Entry => [key, asRead(key, value)]),
    })),
    writes: new Map([...request.writes].map(([key, value]) => [key, optional(seal, key, value)])),
    appends: request.appends.map((append) => ({
      ...append,
      build: (sequence) => append.build(sequence).map(([key, value]): Entry => [key, seal(key, value)]),
    })),
  };
}

/** Returns fields that must not be stored in plain text elsewhere, for example in the search index. */
export function sealedNames(engine: Engine): ReadonlySet<SealableName> {
  return 'sealed' in engine ? (engine as SealingEngine).sealed : new Set();
}

/** Which fields are encrypted, and a check value that identifies the key. */
interface EncryptionRecord {
  readonly names: readonly SealableName[];
  readonly key_check: string;
  readonly version: 1;
}

const KEY = 'meta:encryption';

/** Wraps the engine with encryption if the database has encrypted fields. */
export async function withEncryption(engine: Engine, secret: () => Uint8Array | undefined): Promise<Engine> {
  const stored = await engine.get(KEY);
  if (stored === undefined) return engine;
  const record = JSON.parse(String(stored)) as EncryptionRecord;
  const key = secret();
  if (key === undefined || keyCheck(key) !== record.key_check) {
    throw audiobookErrors.ENCRYPTION_KEY_MISSING(
      key === undefined ? 'The key file for this database is missing.' : 'The key file belongs to another database.',
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

/** Returns false if another process has changed a value in the meantime; the caller then reads the page again. */
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
