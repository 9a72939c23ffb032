import { describeAgent } from '../../lib/user-agent.ts';
import { randomKey } from '../../lib/random-key.ts';
import { recall, remember } from './memory.ts';

/** Identifies this browser: a readable name, and a random part that distinguishes it from others like it. */
export function storedDeviceId(): string {
  const known = recall<string>('device');
  if (known !== undefined) return known;
  const id = `${describeAgent(navigator.userAgent)}#${randomKey().slice(0, 12)}`;
  remember('device', id);
  return id;
}

/** `Firefox on Android`. Other clients choose their own names. */
export function deviceName(id: string | null): string {
  const name = id?.split('#')[0] ?? '';
  return name === '' ? 'another device' : name;
}
