/** The process in which a command runs: arguments, environment and streams. Tests pass their own. */
import { isUtf8 } from 'node:buffer';
import { fstatSync, readFileSync, statSync } from 'node:fs';
import { commandLineErrors } from '../errors.ts';
import { standardInput } from './stdin.ts';
import type { StandardInput } from './stdin.ts';
import { writeToStderr, writeToStdout } from './write.ts';

export interface OutputStream {
  readonly isTerminal: boolean;
  /** Width of the terminal; read only if there is a terminal. */
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
    // If the descriptor is closed, or the system has no /dev/null, falls back to `isatty`.
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}

const REPLACEMENT = '\uFFFD';

/**
 * Rejects arguments that are not valid UTF-8. Node replaces invalid bytes with U+FFFD, which would then be stored. Only
 * Linux provides the original bytes; elsewhere, a replaced byte is accepted like a typed U+FFFD.
 */
export function requireTextArguments(argv: readonly string[]): void {
  if (!argv.some((word) => word.includes(REPLACEMENT))) return;
  let bytes: Buffer;
  try {
    bytes = readFileSync('/proc/self/cmdline');
  } catch {
    return;
  }
  if (!isUtf8(bytes)) throw commandLineErrors.INPUT_NOT_TEXT('An argument is not valid UTF-8 text.');
}
