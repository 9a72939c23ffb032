import { DAY, HOUR } from '@holdfast/base';

export interface BackupAge {
  readonly path: string;
  readonly at: number;
}

/**
 * Which backups to delete: of the last day every one stays, before that one per day, and beyond the retention none. The
 * newest always stays, however old it is.
 */
export function expiredBackups(backups: readonly BackupAge[], now: number, retentionDays: number): BackupAge[] {
  const sorted = [...backups].sort((left, right) => right.at - left.at);
  const daysSeen = new Set<number>();
  return sorted.filter(({ at }, index) => {
    if (index === 0 || at > now - 24 * HOUR) return false;
    if (at < now - retentionDays * DAY) return true;
    const day = Math.floor(at / DAY);
    if (daysSeen.has(day)) return true;
    daysSeen.add(day);
    return false;
  });
}
