import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { audiobookErrors } from '../../model/errors.ts';

/** Fields that can be encrypted. None of them is part of an index key. */
export const SEALABLE = {
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
      throw audiobookErrors.ENCRYPTED_VALUE_DAMAGED(`The encrypted field of ${key} cannot be opened.`, {
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
