const PREFIX = 'holdfast.player.';

/** What this browser keeps of the player. One that keeps nothing has it until the page is closed. */
export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full, or forbidden.
  }
}

export function recall<Value>(name: string): Value | undefined {
  try {
    return (JSON.parse(localStorage.getItem(PREFIX + name) ?? 'null') as Value | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forget(name: string): void {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was kept.
  }
}

export function namesBeginning(start: string): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(PREFIX + start))
      .map((name) => name.slice(PREFIX.length));
  } catch {
    return [];
  }
}
