import { randomKey } from '../../lib/random-key.ts';
import { readStored, removeStored, storedKeys, writeStored } from '../../lib/storage.ts';
import { describeAgent } from '../../lib/user-agent.ts';

const PREFIX = 'holdfast.player.';

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

export function storedNames(start: string): readonly string[] {
  return storedKeys(PREFIX + start).map((name) => name.slice(PREFIX.length));
}

/** Identifies this browser: a readable name, and a random part that distinguishes it from similar browsers. */
export function storedDeviceId(): string {
  const known = recall<string>('device');
  if (known !== undefined) return known;
  const id = `${describeAgent(navigator.userAgent)}#${randomKey().slice(0, 12)}`;
  remember('device', id);
  return id;
}

/** Returns the readable part of a device id, such as `Firefox on Android`. Other clients choose their own ids. */
export function deviceName(id: string | null): string {
  const name = id?.split('#')[0] ?? '';
  return name === '' ? 'another device' : name;
}

/** Messages between the tabs of a browser. Only one tab plays, and all tabs show the same position. */
export type TabMessage =
  | { readonly type: 'playing'; readonly bookId: string }
  | { readonly type: 'position'; readonly bookId: string; readonly positionMs: number; readonly isPlaying: boolean }
  /** A tab that mirrors the position sends this message to the tab that plays. */
  | { readonly type: 'seek'; readonly bookId: string; readonly positionMs: number };

/** One channel per user, because several users may share a browser. */
export function openTabs(userId: string, onMessage: (message: TabMessage) => void) {
  const own = randomKey();
  const channel = new BroadcastChannel(`holdfast.player.${userId}`);
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage & { readonly from: string }>) => {
    if (data.from !== own) onMessage(data);
  });
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has no target origin
    tell: (message: TabMessage): void => channel.postMessage({ ...message, from: own }),
    close: () => channel.close(),
  };
}
