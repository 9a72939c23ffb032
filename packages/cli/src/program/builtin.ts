/** Built into every program: --json, --no-color, --help, --version, `help` and `completion`. */
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
  help: { type: 'boolean', summary: 'Show help for this command', short: 'h', group: COMMON_OPTIONS },
};

/** Only for the program, so a command may define its own --version. */
const programOptions: OptionSpecs = {
  version: { type: 'boolean', summary: 'Show the version', short: 'V', group: COMMON_OPTIONS },
};

export function withBuiltins(program: ProgramSpec): ProgramSpec {
  const whole = (): ProgramSpec => complete;
  const builtins = [helpCommand(whole), completionCommand(program.name), completeCommand(whole)];
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

function completionCommand(programName: string): CommandSpec {
  return defineCommand({
    name: 'completion',
    summary: 'Print a completion script for your shell',
    group: OTHER_COMMANDS,
    arguments: [shell],
    examples: [{ command: `eval "$(${programName} completion bash)"`, summary: 'Add this line to ~/.bashrc' }],
    load: async () => ({
      run: ({ args, out }) => out.raw(completionScript(args.shell, programName)),
    }),
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
