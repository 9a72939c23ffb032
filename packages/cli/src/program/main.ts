import { processHost } from '../host/host.ts';
import type { Host } from '../host/host.ts';
import { dieBySignal, watchInterruption } from '../host/signal.ts';
import type { Interruption } from '../host/signal.ts';
import { OutputClosed } from '../host/write.ts';
import type { ExitCode, ProgramSpec } from '../spec/command.ts';
import { usesColour } from '../text/colour.ts';
import { withBuiltins } from './builtin.ts';
import { reportError } from './report.ts';
import { runCommand } from './run.ts';

/**
 * Runs a program as this process: `void main(program)` is all of a command's main file.
 *
 * The process exits by itself once the command returns; output is already written by then.
 */
export async function main(program: ProgramSpec): Promise<void> {
  const host = processHost();
  const interruption = watchInterruption();
  process.once('uncaughtException', (error) => process.exit(exitCodeFor(error, host)));
  const code = await runProgram(program, host, interruption);
  interruption.stopWatching();
  if (code === 'interrupted') dieBySignal(interruption.received ?? 'SIGTERM');
  else process.exitCode = code;
}

/** Runs a program in any host and reports errors; for tests and nested programs. */
export async function runProgram(
  program: ProgramSpec,
  host: Host,
  interruption: Interruption = watchInterruption(),
): Promise<ExitCode | 'interrupted'> {
  try {
    return await runCommand(withBuiltins(program), host, interruption);
  } catch (error) {
    if (interruption.received === undefined) return exitCodeFor(error, host);
    // An abort is not an error, but a failed cleanup must be reported.
    if (!isAbort(error)) exitCodeFor(error, host);
    return 'interrupted';
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function exitCodeFor(error: unknown, host: Host): ExitCode {
  if (error instanceof OutputClosed) return 0;
  // Reads the raw words: parsing them may be what failed.
  const terminator = host.argv.indexOf('--');
  const words = terminator < 0 ? host.argv : host.argv.slice(0, terminator);
  const isWanted = !words.includes('--no-color');
  const useColour = () => usesColour({ env: host.env, isTerminal: host.stderr.isTerminal, isWanted });
  return reportError(error, host, { isJson: words.includes('--json'), useColour });
}
