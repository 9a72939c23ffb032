/** The process a command runs in, as far as commands care. Tests that need no process hand in their own. */
import { fstatSync, statSync } from 'node:fs';
import { standardInput } from './stdin.ts';
import type { StandardInput } from './stdin.ts';
import { writeToStderr, writeToStdout } from './write.ts';

export interface OutputStream {
  readonly isTerminal: boolean;
  /** The width of the terminal; only asked for where there is one. */
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

/** The real process. Everything is found out when it is asked for: many commands print one line and are done. */
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
 * `isatty` alone would do, but loading node:tty costs 2 ms. Pipes and files are known from their type, and the one
 * other device that commands are often given is /dev/null.
 */
function isTerminal(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    if (!status.isCharacterDevice() || status.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // The descriptor is closed, or this system has no /dev/null: isatty knows.
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}
