/** The process in which a command runs: arguments, environment and streams. Tests pass their own. */
import { fstatSync, statSync } from 'node:fs';
import { standardInput } from './stdin.ts';
import type { StandardInput } from './stdin.ts';
import { writeToStderr, writeToStdout } from './write.ts';

export interface OutputStream {
  readonly isTerminal: boolean;
  /** Width of the terminal; only read when there is one. */
  readonly columns: number;
  readonly write: (data: string | Uint8Array) => void;
}

export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: StandardInput;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

const COLUMNS_DEFAULT = 80;

export function processHost(): Host {
  return {
    argv: process.argv.slice(2),
    env: process.env,
    stdin: standardInput(() => isTerminal(0)),
    stdout: outputStream(1, writeToStdout, () => process.stdout.columns),
    stderr: outputStream(2, writeToStderr, () => process.stderr.columns),
  };
}

function outputStream(
  descriptor: number,
  write: OutputStream['write'],
  columns: () => number | undefined,
): OutputStream {
  let known: boolean | undefined;
  return {
    get isTerminal() {
      known ??= isTerminal(descriptor);
      return known;
    },
    get columns() {
      return columns() || COLUMNS_DEFAULT;
    },
    write,
  };
}

/**
 * Loading node:tty for `isatty` costs 2 ms. The file type already identifies pipes, files and /dev/null; only other
 * devices need `isatty`.
 */
function isTerminal(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    if (!status.isCharacterDevice() || status.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // The descriptor is closed, or this system has no /dev/null: fall back to isatty.
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}
