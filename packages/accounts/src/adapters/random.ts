import { randomFillSync } from 'node:crypto';

/** Unpredictable bytes. Only this file asks the machine for them. */
export interface Random {
  fill(bytes: Uint8Array): void;
}

export const systemRandom: Random = { fill: (bytes) => void randomFillSync(bytes) };
