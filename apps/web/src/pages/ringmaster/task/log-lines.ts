import type { LogPiece } from '../../../api/types.ts';

interface LogLine {
  readonly iteration: number;
  readonly text: string;
}

export interface Log {
  readonly lines: readonly LogLine[];
  /** Whether the last line has no line break yet, so that the next piece continues it. */
  readonly isOpen: boolean;
  readonly dropped: number;
}

export const emptyLog: Log = { lines: [], isOpen: false, dropped: 0 };

/** Maximum number of lines in memory. The log file on the server is complete. */
const KEPT = 20_000;

export function withPieces(log: Log, pieces: readonly LogPiece[], kept: number = KEPT): Log {
  const lines = [...log.lines];
  let { isOpen } = log;
  for (const { iteration, text } of pieces) {
    const parts = text.split('\n');
    const last = lines.at(-1);
    if (isOpen && last?.iteration === iteration) {
      lines[lines.length - 1] = { iteration, text: last.text + (parts.shift() ?? '') };
    }
    // After a final line break, the last part is empty and is not a line.
    isOpen = !text.endsWith('\n');
    if (!isOpen && parts.length > 0) parts.pop();
    for (const part of parts) lines.push({ iteration, text: part });
  }
  const surplus = Math.max(0, lines.length - kept);
  return { lines: lines.slice(surplus), isOpen, dropped: log.dropped + surplus };
}
