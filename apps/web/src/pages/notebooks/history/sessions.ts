import type { Version } from '../../../api/types.ts';

/** Versions that one author wrote without a longer pause, newest first. */
export interface WritingSession {
  readonly newest: Version;
  readonly earlier: readonly Version[];
}

const PAUSE_MS = 30 * 60 * 1_000;

export function sessionsOf(versions: readonly Version[]): readonly WritingSession[] {
  const sessions: { newest: Version; earlier: Version[] }[] = [];
  for (const version of versions) {
    const session = sessions.at(-1);
    const later = session?.earlier.at(-1) ?? session?.newest;
    const isSame =
      later !== undefined &&
      later.author === version.author &&
      Date.parse(later.at) - Date.parse(version.at) <= PAUSE_MS;
    if (isSame) session?.earlier.push(version);
    else sessions.push({ newest: version, earlier: [] });
  }
  return sessions;
}
