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
 * Runs a program as this process: `void main(program)` is all that a command's main file does.
 *
 * The process is left to end by itself once the command has returned; nothing is cut off, because everything was
 * written when the write returned.
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

/** Runs a program in any host and reports what it throws. For tests, and for programs inside programs. */
export async function runProgram(
  program: ProgramSpec,
  host: Host,
  interruption: Interruption = watchInterruption(),
): Promise<ExitCode | 'interrupted'> {
  try {
    return await runCommand(withBuiltins(program), host, interruption);
  } catch (error) {
    if (interruption.received === undefined) return exitCodeFor(error, host);
    // Stopping as asked is no error, but failing to put things in order is one that must not go unseen.
    if (!isAbort(error)) exitCodeFor(error, host);
    return 'interrupted';
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function exitCodeFor(error: unknown, host: Host): ExitCode {
  if (error instanceof OutputClosed) return 0;
  // Asked of the words themselves: the error may be that they could not be understood.
  const terminator = host.argv.indexOf('--');
  const words = terminator < 0 ? host.argv : host.argv.slice(0, terminator);
  const isWanted = !words.includes('--no-color');
  const useColour = () => usesColour({ env: host.env, isTerminal: host.stderr.isTerminal, isWanted });
  return reportError(error, host, { isJson: words.includes('--json'), useColour });
}
