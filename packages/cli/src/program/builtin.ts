/** Built into every program: --json, --no-color, --raw, --help, --version, `help` and `completion`. */
import { answerCompletion } from '../completion/complete.ts';
import { completionScript, SHELLS } from '../completion/shells.ts';
import { showHelp } from '../help/help.ts';
import { resolveCommand } from '../parse/resolve.ts';
import { defineCommand } from '../spec/command.ts';
import type { CommandSpec, ProgramSpec } from '../spec/command.ts';
import type { OptionSpecs } from '../spec/option.ts';

const COMMON_OPTIONS = 'Common options';
const OTHER_COMMANDS = 'Other commands';

export const commonOptions: OptionSpecs = {
  json: { type: 'boolean', summary: 'Print data and errors as JSON', group: COMMON_OPTIONS },
  color: { type: 'boolean', summary: 'Print without colours', negatable: true, group: COMMON_OPTIONS },
  raw: {
    type: 'boolean',
    summary: 'Print control characters in data unescaped',
    group: COMMON_OPTIONS,
  },
  help: { type: 'boolean', summary: 'Show help for this command', short: 'h', group: COMMON_OPTIONS },
};

/** These options apply only to the program itself, so that a command may define its own --version. */
const programOptions: OptionSpecs = {
  version: { type: 'boolean', summary: 'Show the version', short: 'V', group: COMMON_OPTIONS },
};

export function withBuiltins(program: ProgramSpec): ProgramSpec {
  const whole = (): ProgramSpec => complete;
  const builtins = [helpCommand(whole), completionCommand(program), completeCommand(whole), manCommand(whole)];
  const complete: ProgramSpec = {
    ...program,
    options: { ...program.options, ...programOptions },
    sharedOptions: { ...program.sharedOptions, ...commonOptions },
    commands: [...(program.commands ?? []), ...builtins],
  };
  return complete;
}

const shell = { name: 'shell', summary: 'Your shell', choices: SHELLS } as const;

function helpCommand(program: () => ProgramSpec): CommandSpec {
  const visible = () => (program().commands ?? []).filter((command) => command.hidden !== true);
  const complete = () => visible().map(({ name, summary }) => ({ value: name, summary }));
  return defineCommand({
    name: 'help',
    summary: 'Show help for a command',
    group: OTHER_COMMANDS,
    arguments: [
      {
        name: 'command',
        summary: 'Command name',
        optional: true,
        variadic: true,
        complete: async () => ({ complete }),
      },
    ],
    load: async () => ({
      run: ({ args, out }) => showHelp(resolveCommand(program(), args.command).path, out),
    }),
  });
}

function completionCommand({ name: programName, completes }: ProgramSpec): CommandSpec {
  return defineCommand({
    name: 'completion',
    summary: 'Print a completion script for your shell',
    group: OTHER_COMMANDS,
    arguments: [shell],
    examples: [{ command: `eval "$(${programName} completion bash)"`, summary: 'Add this line to ~/.bashrc' }],
    ...(completes === undefined ? {} : { commands: [installCommand(completes)] }),
    load: async () => ({
      run: ({ args, out }) => out.raw(completionScript(args.shell, programName)),
    }),
  });
}

function installCommand(programs: readonly string[]): CommandSpec {
  return defineCommand({
    name: 'install',
    summary: 'Install completion for all commands in your shell',
    description: "Adds a few marked lines to your shell's startup files; the rest stays unchanged. Safe to repeat.",
    arguments: [{ ...shell, summary: 'Your shell; default: the one in $SHELL', optional: true }],
    options: {
      remove: { type: 'boolean', summary: 'Remove what this command added' },
      dryRun: { type: 'boolean', summary: 'Change nothing; show what would change' },
    },
    load: async () => {
      const { installCompletion } = await import('../completion/install.ts');
      return { run: (context) => installCompletion(context, programs) };
    },
  });
}

/** Used by the build to write the man pages. */
function manCommand(program: () => ProgramSpec): CommandSpec {
  return defineCommand({
    name: '__man',
    summary: 'Print the man page',
    hidden: true,
    load: async () => {
      const { manPage } = await import('../help/man.ts');
      return { run: ({ out }) => out.raw(manPage(program())) };
    },
  });
}

/** Called by the completion scripts on each tab. */
function completeCommand(program: () => ProgramSpec): CommandSpec {
  return defineCommand({
    name: '__complete',
    summary: 'Print completions',
    hidden: true,
    arguments: [
      shell,
      { name: 'line', summary: 'The command line up to the cursor' },
      { name: 'word', summary: 'The current word, as the shell sees it', optional: true },
    ],
    load: async () => ({
      run: async ({ args, env, out }) => out.raw(await answerCompletion(program(), { ...args, env })),
    }),
  });
}
