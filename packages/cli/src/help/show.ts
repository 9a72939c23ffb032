import type { Output } from '../output/output.ts';
import { optionFlags } from '../parse/names.ts';
import { commandName, commandOf, optionsInScope } from '../parse/resolve.ts';
import type { CommandSpec, ProgramSpec } from '../spec/command.ts';
import { helpLines } from './help.ts';

/** Prints help, or with `--json` the command description for programs. */
export function showHelp(path: readonly CommandSpec[], out: Output): void {
  const { summary, description, examples, arguments: args, commands = [] } = commandOf(path);
  const visible = commands.filter((command) => command.hidden !== true);
  const data = {
    command: commandName(path),
    summary,
    description,
    arguments: args,
    options: Object.entries(optionsInScope(path))
      .filter(([, option]) => option.hidden !== true)
      .map(([name, option]) => Object.assign({ flags: optionFlags(name, option) }, option)),
    commands: visible.map(({ name, aliases, summary: about }) => ({ name, aliases, summary: about })),
    examples,
  };
  out.result(data, (page) => page.lines(helpLines(path, page.columns)));
}

export function showVersion({ name, version }: ProgramSpec, out: Output): void {
  out.result({ name, version, node: process.version }, (page) => page.line(`${name} ${version}`));
}
