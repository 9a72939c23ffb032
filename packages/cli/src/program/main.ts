import { exitCodeByKind, HoldfastError } from '@holdfast/base';

import { commandLineErrors } from '../errors.ts';
import { helpLines, showHelp, showVersion } from '../help/help.ts';
import { type Host, type OutputStream, processHost, requireTextArguments } from '../host/host.ts';
import { dieBySignal, type Interruption, watchInterruption } from '../host/signal.ts';
import { OutputClosed } from '../host/write.ts';
import { createOutput, jsonDocument, type OutputState } from '../output/output.ts';
import { createPage, type Page } from '../output/page.ts';
import { createProgressLine, type ProgressLine } from '../output/progress.ts';
import { commandName, commandOf, optionsInScope, resolveCommand } from '../parse/resolve.ts';
import { type Token, tokenize } from '../parse/tokens.ts';
import { argumentValues, givenOptions, optionValues } from '../parse/values.ts';
import type { CommandModule, CommandSpec, ExitCode, ProgramSpec } from '../spec/command.ts';
import type { CommandContext } from '../spec/context.ts';
import { style, usesColour } from '../text/text.ts';
import { withBuiltins } from './builtin.ts';

/**
 * Runs a program as this process: a main file consists of `void main(program)`.
 *
 * The process exits by itself after the command returns; by then, all output is written.
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
    // An abort after a signal is not an error, but a failed cleanup must be reported.
    if (!isAbort(error)) exitCodeFor(error, host);
    return 'interrupted';
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function exitCodeFor(error: unknown, host: Host): ExitCode {
  if (error instanceof OutputClosed) return 0;
  // Looks at the unparsed words, because parsing may have failed.
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
    host.stderr.write(jsonDocument({ error: content }));
  } else {
    const page = createPage(host.stderr, useColour);
    page.line(style.red(style.bold('error:')), ' ', error.message, style.dim(` [${error.code}]`));
    if (error.hint !== '') page.line(style.dim('hint:'), '  ', error.hint);
    if (isDebugging) page.line(stackWithCauses(error));
  }
  return exitCodeByKind[error.kind];
}

function unexpected(thrown: unknown): HoldfastError {
  // Checked here because many functions ask for the working directory: each one that resolves a relative path.
  if (thrown instanceof Error && 'syscall' in thrown && thrown.syscall === 'uv_cwd') {
    return commandLineErrors.WORKING_DIRECTORY_GONE('The working directory cannot be reached', { cause: thrown });
  }
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

/**
 * Runs the command that the arguments name; does not catch its errors. The program must include the built-in commands.
 */
async function runCommand(program: ProgramSpec, host: Host, interruption: Interruption): Promise<ExitCode> {
  requireTextArguments(host.argv);
  const { path, words } = resolveCommand(program, host.argv);
  const tokens = tokenize(words, optionsInScope(path));
  const console = createConsole(host, {
    isJson: isGiven(tokens, 'json'),
    escapes: !isGiven(tokens, 'raw'),
    isColourWanted: !host.argv.includes('--no-color'),
  });
  if (isGiven(tokens, 'help')) {
    showHelp(path, console.out);
    return 0;
  }
  if (path.length === 1 && isGiven(tokens, 'version')) {
    showVersion(program, console.out);
    return 0;
  }
  const context = commandContext({ path, tokens, console, host, interruption });
  return runLoaded(await loadCommand(path, console), context, console);
}

async function loadCommand(path: readonly CommandSpec[], console: Console): Promise<CommandModule<CommandContext>> {
  const { load, commands = [] } = commandOf(path);
  // defineCommand has checked that the module accepts this context.
  if (load !== undefined) return (await load()) as CommandModule<CommandContext>;
  const names = commands.filter((command) => command.hidden !== true).map((command) => command.name);
  if (!console.isJson) console.notes.lines([...helpLines(path, console.notes.columns), '']);
  throw commandLineErrors.MISSING_COMMAND(`"${commandName(path)}" needs a subcommand.`, {
    hint: `Choose one of: ${names.join(', ')}.`,
    details: { commands: names },
  });
}

async function runLoaded(
  { run }: CommandModule<CommandContext>,
  context: CommandContext,
  console: Console,
): Promise<ExitCode> {
  try {
    const code = (await run(context)) ?? 0;
    console.out.finish();
    return code;
  } finally {
    console.progress.clear();
  }
}

interface ContextParts {
  readonly path: readonly CommandSpec[];
  readonly tokens: readonly Token[];
  readonly console: Console;
  readonly host: Host;
  readonly interruption: Interruption;
}

function commandContext({ path, tokens, console, host, interruption }: ContextParts): CommandContext {
  const name = commandName(path);
  const specs = optionsInScope(path);
  const given = givenOptions(tokens, specs, name);
  const { isJson, out, notes, progress } = console;
  return {
    args: argumentValues(tokens, commandOf(path).arguments ?? [], name),
    options: optionValues(given, specs, host.env, name),
    given,
    out,
    stdin: host.stdin,
    env: host.env,
    isJson,
    get isInteractive() {
      return !isJson && host.stdin.isTerminal && host.stdout.isTerminal && host.env['TERM'] !== 'dumb';
    },
    get signal() {
      return interruption.signal;
    },
    note(...text) {
      if (!isJson) notes.line(...text);
    },
    progress: (label, total) => progress.start(label, total),
  };
}

function isGiven(tokens: readonly Token[], name: string): boolean {
  return tokens.some((token) => token.kind === 'option' && token.name === name);
}

interface ConsoleOptions {
  readonly isJson: boolean;
  readonly escapes: boolean;
  readonly isColourWanted: boolean;
}

interface Console {
  readonly isJson: boolean;
  readonly out: OutputState;
  /** Standard error, for people. */
  readonly notes: Page;
  readonly progress: ProgressLine;
}

function createConsole(host: Host, { isJson, escapes, isColourWanted }: ConsoleOptions): Console {
  const progress = createProgressLine(host.stderr);
  const stdout = clearedBefore(host.stdout, progress);
  const stderr = clearedBefore(host.stderr, progress);
  const pageOn = (stream: OutputStream): Page =>
    createPage(
      stream,
      () => usesColour({ env: host.env, isTerminal: stream.isTerminal, isWanted: isColourWanted }),
      escapes,
    );
  return {
    isJson,
    out: createOutput(stdout, pageOn(stdout), { isJson, escapes }),
    notes: pageOn(stderr),
    progress,
  };
}

function clearedBefore(stream: OutputStream, progress: ProgressLine): OutputStream {
  return {
    get isTerminal() {
      return stream.isTerminal;
    },
    get columns() {
      return stream.columns;
    },
    write(data) {
      progress.clear();
      stream.write(data);
    },
  };
}
