import { readFileSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;

/** Counts the commits in the log. The last frame of a commit holds the database size, other frames 0. */
export function commitsInLog(databasePath: string): number {
  const log = readFileSync(`${databasePath}-wal`);
  if (log.length < HEADER) return 0;
  const frame = FRAME_HEADER + log.readUInt32BE(8);
  const salt = log.readBigUInt64BE(16);
  let commits = 0;
  for (let at = HEADER; at + frame <= log.length; at += frame) {
    // Frames with another salt are left over from before the last log reset.
    if (log.readBigUInt64BE(at + 8) !== salt) break;
    if (log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}
