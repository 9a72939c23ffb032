import { blake3 } from '@noble/hashes/blake3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** blake3-256 of a text, as 64 lower-case hexadecimal digits. */
export function blake3Hex(text: string): string {
  return bytesToHex(blake3(utf8ToBytes(text)));
}
