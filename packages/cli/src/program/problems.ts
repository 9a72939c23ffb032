/**
 * Finds mistakes in a program's description that types cannot catch.
 *
 * Not checked at run time, because the result is the same for everyone; each app has a test for it.
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
  if (command.load === undefined && children.length === 0) own.push('has nothing to run');
  return [
    ...own.map((problem) => `${name}: ${problem}`),
    ...children.flatMap((child) => problemsBelow([...path, child])),
  ];
}

function overriddenOptions(program: ProgramSpec): readonly string[] {
  const names = Object.keys({ ...program.options, ...program.sharedOptions });
  return names.filter((name) => name in commonOptions).map((name) => `${program.name}: every program has --${name}`);
}

function nameProblems(command: CommandSpec): readonly string[] {
  const names = (command.commands ?? []).flatMap((child) => [child.name, ...(child.aliases ?? [])]);
  return repeated(names).map((name) => `two commands are called ${name}`);
}

function argumentProblems(command: CommandSpec): readonly string[] {
  const specs = command.arguments ?? [];
  return specs.flatMap((spec, index) => {
    const later = specs.slice(index + 1);
    const label = argumentLabel(spec);
    return [
      ...(spec.variadic === true && later.length > 0 ? [`nothing is left for what follows ${label}`] : []),
      ...(spec.optional === true && later.some((next) => next.optional !== true)
        ? [`${label} cannot be left out`]
        : []),
    ];
  });
}

function optionProblems(path: readonly CommandSpec[]): string[] {
  const options = Object.entries(optionsInScope(path));
  const clashes = repeated(options.flatMap(([name, spec]) => optionFlags(name, spec)));
  return [
    ...clashes.map((flag) => `two options are called ${flag}`),
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
      ? ['has a short form that is not one letter']
      : []),
    ...(spec.default !== undefined && spec.required === true ? ['is required and has a default'] : []),
    ...(spec.default !== undefined && !isChoice ? ['has a default that is not among its choices'] : []),
    ...(spec.default !== undefined && typeof spec.default !== type ? ['has a default of another type'] : []),
    ...(spec.negatable === true && spec.type !== 'boolean' ? ['cannot be negated, because it has a value'] : []),
  ];
}

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
