import { createCipheriv, createDecipheriv } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_CHARACTERS = 26;
const UUID = /^([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4})-([\da-f]{12})$/iu;

/**
 * Maps our ids to the UUIDs that Audiobookshelf clients expect, and back, without stored state. The UUID is the
 * encrypted ULID. Covers are served without credentials, so ids must not be guessable. Plain ULIDs are guessable:
 * within one scan, each is one more than the previous.
 */
export class ClientIds {
  readonly #cipher;
  readonly #decipher;

  constructor(key: string) {
    const bytes = Buffer.from(key, 'hex');
    // Each call encrypts exactly one block, and equal ids must become equal UUIDs. So ECB and a reused cipher are safe.
    this.#cipher = createCipheriv('aes-128-ecb', bytes, null).setAutoPadding(false);
    this.#decipher = createDecipheriv('aes-128-ecb', bytes, null).setAutoPadding(false);
  }

  toClient(ulid: string): string {
    let number = 0n;
    for (const character of ulid) number = number * 32n + BigInt(ALPHABET.indexOf(character));
    const block = Buffer.from(number.toString(16).padStart(32, '0'), 'hex');
    const hex = this.#cipher.update(block).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Returns undefined for text that is not one of our UUIDs. */
  fromClient(text: string): string | undefined {
    const parts = UUID.exec(text);
    if (parts === null) return undefined;
    return ulidOf(this.#decipher.update(Buffer.from(parts.slice(1).join(''), 'hex')));
  }
}

/** Returns the ULID with the same 128 bits, so that a repeated import finds the record. */
export function ulidOfUuid(uuid: string): string {
  return ulidOf(Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}

function ulidOf(block: Buffer): string {
  let number = BigInt(`0x${block.toString('hex')}`);
  let ulid = '';
  for (let index = 0; index < ULID_CHARACTERS; index++) {
    ulid = (ALPHABET[Number(number % 32n)] as string) + ulid;
    number /= 32n;
  }
  return ulid;
}
