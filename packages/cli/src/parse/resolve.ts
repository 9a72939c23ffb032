/** Finds the command that a command line names. */
import { closest } from '@holdfast/base';

import { commandLineErrors } from '../errors.ts';
import type { CommandSpec } from '../spec/command.ts';
import type { OptionSpecs } from '../spec/option.ts';
import { tokenize } from './tokens.ts';
import { unknownOption } from './values.ts';

export interface ResolvedCommand {
  /** The program, then each group, then the command. */
  readonly path: readonly CommandSpec[];
  /** All words except the names of commands. */
  readonly words: readonly string[];
}

export function resolveCommand(program: CommandSpec, words: readonly string[]): ResolvedCommand {
  const path: CommandSpec[] = [program];
  let left = words;
  for (;;) {
    const group = commandOf(path);
    const next = group.commands === undefined ? undefined : nextCommand(path, left);
    if (next === undefined) return { path, words: left };
    path.push(next.command);
    left = left.toSpliced(next.index, 1);
  }
}

export function commandOf(path: readonly CommandSpec[]): CommandSpec {
  const command = path.at(-1);
  if (command === undefined) throw new TypeError('a command path starts with the program');
  return command;
}

/** Returns the full name of a command, for example `np t a`. */
export function commandName(path: readonly CommandSpec[]): string {
  return path.map((command) => command.name).join(' ');
}

/** Returns all options allowed for this command, its own first. */
export function optionsInScope(path: readonly CommandSpec[]): OptionSpecs {
  const { options: own, without = [] } = commandOf(path);
  const all = Object.assign({}, own, ...path.map((command) => command.sharedOptions), own) as OptionSpecs;
  return without.length === 0
    ? all
    : Object.fromEntries(Object.entries(all).filter(([name]) => !without.includes(name)));
}

export function findCommand(group: CommandSpec, word: string): CommandSpec | undefined {
  return group.commands?.find((command) => command.name === word || command.aliases?.includes(word) === true);
}

function nextCommand(
  path: readonly CommandSpec[],
  words: readonly string[],
): { readonly command: CommandSpec; readonly index: number } | undefined {
  const group = commandOf(path);
  const options = optionsInScope(path);
  for (const token of tokenize(words, options)) {
    if (token.kind === 'argument') {
      const command = findCommand(group, token.value);
      if (command !== undefined) return { command, index: token.index };
      if (group.arguments !== undefined) return undefined;
      throw unknownCommand(path, token.value);
    }
    // Rejects an unknown option before the subcommand, because the next word could be either the option's value or the
    // subcommand.
    if (token.name === undefined) throw unknownOption(commandName(path), token.flag, options);
  }
  return undefined;
}

function unknownCommand(path: readonly CommandSpec[], word: string): Error {
  const name = commandName(path);
  const visible = (commandOf(path).commands ?? []).filter((command) => command.hidden !== true);
  const names = visible.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  const meant = closest(word, names);
  const list = `Run "${name} --help" to list the commands.`;
  return commandLineErrors.UNKNOWN_COMMAND(`"${word}" is not a command of ${name}.`, {
    hint: meant === undefined ? list : `Did you mean "${name} ${meant}"? ${list}`,
    details: { commands: visible.map((command) => command.name) },
  });
}
