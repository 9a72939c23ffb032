import { describeAgent } from '../../lib/user-agent.ts';
import { randomKey } from '../../lib/random-key.ts';
import { recall, remember } from './memory.ts';

const KEY = 'device';
let known: string | undefined;

/** Which browser this is: what a person calls it, and a random part that tells it from others like it. */
export function deviceId(): string {
  known ??= recall<string>(KEY);
  if (known === undefined) {
    known = `${describeAgent(navigator.userAgent)}#${randomKey().slice(0, 12)}`;
    remember(KEY, known);
  }
  return known;
}

/** `Firefox on Android`; programs of other people call themselves what they like. */
export function deviceName(id: string | null): string {
  const name = id?.split('#')[0] ?? '';
  return name === '' ? 'another device' : name;
}
