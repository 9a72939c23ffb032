import { commandLineErrors } from '../errors.ts';
import { helpLines, showHelp, showVersion } from '../help/help.ts';
import type { Host, OutputStream } from '../host/host.ts';
import type { Interruption } from '../host/signal.ts';
import { createOutput, type OutputState } from '../output/output.ts';
import { createPage, type Page } from '../output/page.ts';
import { createProgressLine, type ProgressLine } from '../output/progress.ts';
import { commandName, commandOf, optionsInScope, resolveCommand } from '../parse/resolve.ts';
import { type Token, tokenize } from '../parse/tokens.ts';
import { argumentValues, givenOptions, optionValues } from '../parse/values.ts';
import type { CommandModule, CommandSpec, ExitCode, ProgramSpec } from '../spec/command.ts';
import type { CommandContext } from '../spec/context.ts';
import { usesColour } from '../text/text.ts';

/** Runs the named command and passes its errors on. The program must include the built-in commands. */
export async function runCommand(program: ProgramSpec, host: Host, interruption: Interruption): Promise<ExitCode> {
  const { path, words } = resolveCommand(program, host.argv);
  const tokens = tokenize(words, optionsInScope(path));
  const console = createConsole(host, {
    isJson: isGiven(tokens, 'json'),
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
  throw commandLineErrors.MISSING_COMMAND(`"${commandName(path)}" needs one of its commands.`, {
    hint: `The commands are: ${names.join(', ')}.`,
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

/** The two output streams of a command, kept clear of the progress line. */

interface ConsoleOptions {
  readonly isJson: boolean;
  readonly isColourWanted: boolean;
}

interface Console {
  readonly isJson: boolean;
  readonly out: OutputState;
  /** Standard error, for people. */
  readonly notes: Page;
  readonly progress: ProgressLine;
}

function createConsole(host: Host, { isJson, isColourWanted }: ConsoleOptions): Console {
  const progress = createProgressLine(host.stderr);
  const stdout = clearedBefore(host.stdout, progress);
  const stderr = clearedBefore(host.stderr, progress);
  const pageOn = (stream: OutputStream): Page =>
    createPage(stream, () => usesColour({ env: host.env, isTerminal: stream.isTerminal, isWanted: isColourWanted }));
  return {
    isJson,
    out: createOutput(stdout, pageOn(stdout), isJson),
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
