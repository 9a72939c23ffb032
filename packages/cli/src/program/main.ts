import { exitCodeByKind, HoldfastError } from '@holdfast/base';

import { commandLineErrors } from '../errors.ts';
import { type Host, processHost } from '../host/host.ts';
import { dieBySignal, type Interruption, watchInterruption } from '../host/signal.ts';
import { OutputClosed } from '../host/write.ts';
import { jsonDocument } from '../output/output.ts';
import { createPage } from '../output/page.ts';
import type { ExitCode, ProgramSpec } from '../spec/command.ts';
import { style, usesColour } from '../text/text.ts';
import { withBuiltins } from './builtin.ts';
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

interface ReportOptions {
  readonly isJson: boolean;
  readonly useColour: () => boolean;
}

/** Prints an error on standard error and returns its exit code. */
function reportError(thrown: unknown, host: Host, { isJson, useColour }: ReportOptions): ExitCode {
  const error = thrown instanceof HoldfastError ? thrown : unexpected(thrown);
  const isDebugging = isSet(host.env['HOLDFAST_DEBUG']);
  if (isJson) {
    const { code, message, hint, details } = error;
    const stack = isDebugging ? { stack: stackWithCauses(error) } : {};
    const content = { code, message, hint, ...(details === undefined ? {} : { details }), ...stack };
    host.stderr.write(jsonDocument({ error: content }, host.stderr.isTerminal));
  } else {
    const page = createPage(host.stderr, useColour);
    page.line(style.red(style.bold('error:')), ' ', error.message, style.dim(` [${error.code}]`));
    if (error.hint !== '') page.line(style.dim('hint:'), '  ', error.hint);
    if (isDebugging) page.line(stackWithCauses(error));
  }
  return exitCodeByKind[error.kind];
}

function unexpected(thrown: unknown): HoldfastError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return commandLineErrors.INTERNAL(`Unexpected error: ${message}`, { cause: thrown });
}

function stackWithCauses(error: Error): string {
  const cause = error.cause === undefined ? '' : `\ncaused by: ${describeCause(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function describeCause(cause: unknown): string {
  return cause instanceof Error ? stackWithCauses(cause) : String(cause);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}
