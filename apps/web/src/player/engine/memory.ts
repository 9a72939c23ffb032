import { readStored, removeStored, storedKeys, writeStored } from '../../lib/storage.ts';

const PREFIX = 'holdfast.player.';

/** Stores player state in this browser. */
export function remember(name: string, value: unknown): void {
  writeStored(PREFIX + name, JSON.stringify(value));
}

export function recall<Value>(name: string): Value | undefined {
  try {
    return (JSON.parse(readStored(PREFIX + name) ?? 'null') as Value | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forget(name: string): void {
  removeStored(PREFIX + name);
}

export function namesBeginning(start: string): readonly string[] {
  return storedKeys(PREFIX + start).map((name) => name.slice(PREFIX.length));
}
