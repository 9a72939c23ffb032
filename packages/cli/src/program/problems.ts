/**
 * Finds mistakes in a program's description that types cannot catch.
 *
 * Each application calls it in a test. A check at run time would slow down every command and never find anything new.
 */
import { argumentLabel, optionFlags } from '../parse/names.ts';
import { commandName, commandOf, optionsInScope } from '../parse/resolve.ts';
import type { CommandSpec, ProgramSpec } from '../spec/command.ts';
import type { OptionSpec } from '../spec/option.ts';
import { commonOptions, withBuiltins } from './builtin.ts';

/** Each problem starts with its command. */
export function programProblems(program: ProgramSpec): readonly string[] {
  return [...overriddenOptions(program), ...problemsBelow([withBuiltins(program)])];
}

function problemsBelow(path: readonly CommandSpec[]): readonly string[] {
  const command = commandOf(path);
  const name = commandName(path);
  const own = [...nameProblems(command), ...argumentProblems(command), ...optionProblems(path)];
  const children = command.commands ?? [];
  if (command.load === undefined && children.length === 0) own.push('has neither an action nor commands');
  return [
    ...own.map((problem) => `${name}: ${problem}`),
    ...children.flatMap((child) => problemsBelow([...path, child])),
  ];
}

function overriddenOptions(program: ProgramSpec): readonly string[] {
  const names = Object.keys({ ...program.options, ...program.sharedOptions });
  return names
    .filter((name) => name in commonOptions)
    .map((name) => `${program.name}: --${name} is reserved for a common option`);
}

function nameProblems(command: CommandSpec): readonly string[] {
  const names = (command.commands ?? []).flatMap((child) => [child.name, ...(child.aliases ?? [])]);
  return repeated(names).map((name) => `two commands have the name ${name}`);
}

function argumentProblems(command: CommandSpec): readonly string[] {
  const specs = command.arguments ?? [];
  return specs.flatMap((spec, index) => {
    const later = specs.slice(index + 1);
    const label = argumentLabel(spec);
    return [
      ...(spec.variadic === true && later.length > 0
        ? [`${label} takes all remaining arguments, so nothing may follow it`]
        : []),
      ...(spec.optional === true && later.some((next) => next.optional !== true)
        ? [`${label} is optional but precedes a required argument`]
        : []),
    ];
  });
}

function optionProblems(path: readonly CommandSpec[]): string[] {
  const options = Object.entries(optionsInScope(path));
  const clashes = repeated(options.flatMap(([name, spec]) => optionFlags(name, spec)));
  return [
    ...clashes.map((flag) => `two options have the name ${flag}`),
    ...options.flatMap(([name, spec]) =>
      specProblems(spec).map((problem) => `${optionFlags(name, spec).at(-1)} ${problem}`),
    ),
  ];
}

function specProblems(spec: OptionSpec): readonly string[] {
  const isChoice = spec.choices === undefined || spec.choices.includes(String(spec.default));
  const type = spec.type === 'integer' ? 'number' : spec.type;
  return [
    ...(spec.short !== undefined && !/^[A-Za-z0-9]$/u.test(spec.short)
      ? ['has a short form that is not a single letter or digit']
      : []),
    ...(spec.default !== undefined && spec.required === true ? ['is required and has a default'] : []),
    ...(spec.default !== undefined && !isChoice ? ['has a default that is not one of its choices'] : []),
    ...(spec.default !== undefined && typeof spec.default !== type ? ['has a default of the wrong type'] : []),
    ...(spec.negatable === true && spec.type !== 'boolean' ? ['cannot be negated, because it takes a value'] : []),
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
