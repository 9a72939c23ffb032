import { randomBytes } from 'node:crypto';

/** Unpredictable bytes. Only this file asks the machine for them. */
export interface Random {
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };
