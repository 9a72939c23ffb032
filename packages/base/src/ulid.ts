import { randomFillSync } from 'node:crypto';

/**
 * ULIDs: 26 characters that sort by time of creation.
 *
 * They strictly increase within a process. Within one millisecond, or after the clock goes back, the previous random
 * part is incremented.
 */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

export type UlidSource = () => string;

export interface UlidInputs {
  readonly now: () => number;
  readonly random: (bytes: Uint8Array) => void;
}

export function ulidSource(
  inputs: UlidInputs = { now: Date.now, random: (bytes) => randomFillSync(bytes) },
): UlidSource {
  let lastTime = -1;
  let digits: number[] = [];
  return () => {
    const time = inputs.now();
    if (time > lastTime || !increment(digits)) {
      lastTime = Math.max(time, lastTime + (time > lastTime ? 0 : 1));
      digits = randomDigits(inputs.random);
    }
    return encodeTime(lastTime) + digits.map((digit) => ALPHABET[digit]).join('');
  };
}

export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}

function encodeTime(time: number): string {
  let rest = time;
  let text = '';
  for (let index = 0; index < TIME_CHARACTERS; index++) {
    text = (ALPHABET[rest % 32] as string) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomDigits(random: (bytes: Uint8Array) => void): number[] {
  const bytes = new Uint8Array(RANDOM_CHARACTERS);
  random(bytes);
  return Array.from(bytes, (byte) => byte & 31);
}

/** Adds one to the last digit with carry; returns false on overflow. */
function increment(digits: number[]): boolean {
  for (let index = digits.length - 1; index >= 0; index--) {
    const digit = digits[index] as number;
    if (digit < 31) {
      digits[index] = digit + 1;
      return true;
    }
    digits[index] = 0;
  }
  return false;
}
