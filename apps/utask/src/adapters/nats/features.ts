interface Feature {
  readonly since: string;
  readonly lack: string;
}

/** Features of newer servers. Detected by version, because old servers accept some settings and ignore them. */
const features: readonly Feature[] = [
  { since: '2.10.0', lack: 'no sync_interval: an acknowledged change is on disk up to two minutes later (2.10)' },
  { since: '2.10.0', lack: 'no watch of several keys at once (2.10)' },
  { since: '2.10.27', lack: 'known security flaws: do not share this server with strangers (CVE-2025-30215, 2.10.27)' },
  { since: '2.11.0', lack: 'no expiry of single keys: deleted tasks leave markers until "ut gc" (2.11)' },
];

export function lackingFeatures(version: string): readonly string[] {
  return features.filter(({ since }) => isOlder(version, since)).map(({ lack }) => lack);
}

function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  for (const [index, number] of theirs.entries()) {
    const own = ours[index] ?? 0;
    if (own !== number) return own < number;
  }
  return false;
}

function numbersOf(version: string): readonly number[] {
  return version.split(/[.-]/).slice(0, 3).map(Number);
}
