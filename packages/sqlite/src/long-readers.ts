import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

import { Connection } from './connection.ts';
import { currentRevision } from './journal/journal.ts';

/**
 * Readers that let the write-ahead log grow.
 *
 * SQLite copies a commit from the log into the database file only after every older read transaction has ended. Until
 * then, the log grows with each commit.
 */

export interface LongReaders {
  /** Bytes of the log that cannot be reused while these readers run. */
  readonly pinnedBytes: number;
  /**
   * Time of the first commit that the oldest reader cannot see; the reader began before that time. The time is too
   * early if some commits in the log have no journal entry. Undefined if the journal no longer has the entry.
   */
  readonly oldestBefore: number | undefined;
  /** Processes that are reading now. Empty if the operating system does not say which processes hold locks. */
  readonly processes: readonly { readonly pid: number; readonly command: string }[];
}

/** More than the 4,000 frames after which SQLite makes an automatic checkpoint. */
const PINNED_FRAMES_MAX = 6_000;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** Byte positions in the `-shm` file that SQLite locks for read transactions. */
const READ_LOCKS = { first: 123, last: 127 } as const;

/** Returns undefined if the log is short, or if no reader prevents its reuse. */
export function findLongReaders(path: string): LongReaders | undefined {
  const size = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (size < PINNED_FRAMES_MAX * 512) return undefined;
  const connection = new Connection(path);
  try {
    // Copies as much as the oldest reader allows. The rest of the log cannot be reused because of this reader.
    const { busy, log, checkpointed } = connection.get<{ busy: number; log: number; checkpointed: number }>(
      'PRAGMA wal_checkpoint(PASSIVE)',
    )!;
    if (busy !== 0 || log - checkpointed <= PINNED_FRAMES_MAX) return undefined;
    const { frameBytes, commits } = readLog(path, checkpointed, log);
    const firstUnseen = currentRevision(connection) - commits + 1;
    const entry = connection.get<{ at: number }>(
      'SELECT CAST(at AS REAL) AS at FROM holdfast_journal WHERE revision = ?',
      firstUnseen,
    );
    return {
      pinnedBytes: (log - checkpointed) * frameBytes,
      oldestBefore: entry?.at,
      processes: readingProcesses(`${path}-shm`),
    };
  } finally {
    connection.close();
  }
}

/** Counts commits in frames after `from`. The last frame of a commit holds the database size, other frames 0. */
function readLog(path: string, from: number, to: number): { readonly frameBytes: number; readonly commits: number } {
  const file = openSync(`${path}-wal`, 'r');
  try {
    const field = Buffer.alloc(4);
    readSync(file, field, 0, 4, 8);
    const frameBytes = FRAME_HEADER + field.readUInt32BE();
    let commits = 0;
    for (let frame = from; frame < to; frame++) {
      readSync(file, field, 0, 4, LOG_HEADER + frame * frameBytes + 4);
      if (field.readUInt32BE() !== 0) commits += 1;
    }
    return { frameBytes, commits };
  } finally {
    closeSync(file);
  }
}

/** Does not open the `-shm` file, because closing it would release this process's own locks. */
function readingProcesses(sharedMemory: string): LongReaders['processes'] {
  const inode = String(statSync(sharedMemory).ino);
  const pids = new Set<number>();
  for (const line of linesOf('/proc/locks')) {
    // `1: POSIX  ADVISORY  READ 4711 fe:00:815 124 124`: pid, device and inode, first and last byte
    const [, pid, file, first, last] = /\sREAD\s+(\d+) \w+:\w+:(\d+) (\d+) (\d+)$/.exec(line) ?? [];
    if (file !== inode || Number(first) > READ_LOCKS.last || Number(last) < READ_LOCKS.first) continue;
    pids.add(Number(pid));
  }
  return [...pids].map((pid) => ({
    pid,
    command: linesOf(`/proc/${pid}/cmdline`).join(' ').replaceAll('\0', ' ').trim(),
  }));
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
