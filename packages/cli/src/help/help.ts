import type { Output } from '../output/output.ts';
import { argumentLabel, optionFlags, optionWord } from '../parse/names.ts';
import { commandName, commandOf, optionsInScope } from '../parse/resolve.ts';
import type { CommandSpec, ProgramSpec } from '../spec/command.ts';
import type { ArgumentSpec, OptionSpec } from '../spec/option.ts';
import { style, type Text } from '../text/text.ts';
import { displayWidth, wrap } from '../text/width.ts';

/** Prints help; with `--json`, prints the command description for programs. */
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

/** Returns the lines of a command's help, wrapped to `columns`. */
export function helpLines(path: readonly CommandSpec[], columns: number): readonly Text[] {
  const command = commandOf(path);
  const lines: Text[] = [];
  for (const line of wrap(`${command.summary}.`, columns)) lines.push(line);
  if (command.description !== undefined) lines.push('', ...wrap(command.description, columns));
  lines.push('', style.bold('Usage'), ...usageLines(path).map((line) => `  ${line}`));
  const described = sections(path);
  const labelColumns = labelWidth(described.flatMap((section) => section.entries));
  for (const { heading, entries } of described) {
    lines.push('', style.bold(heading), ...entryLines(entries, labelColumns, columns));
  }
  if (command.examples !== undefined && command.examples.length > 0) {
    lines.push('', style.bold('Examples'));
    for (const example of command.examples) {
      for (const line of wrap(example.summary, columns - 4)) lines.push(style.dim(`  # ${line}`));
      lines.push(`  ${example.command}`);
    }
  }
  if (path.length === 1) {
    lines.push('', style.bold('Exit codes'));
    for (const line of wrap(EXIT_CODES, columns - 2)) lines.push(`  ${line}`);
  }
  return lines;
}

export const EXIT_CODES = '0 success, 1 failed, 2 wrong usage, 3 not found, 4 conflict or ambiguous, 5 unavailable';

interface Section {
  readonly heading: string;
  readonly entries: readonly Entry[];
}

export function usageLines(path: readonly CommandSpec[]): readonly string[] {
  const command = commandOf(path);
  const name = commandName(path);
  const hasOptions = Object.values(command.options ?? {}).some((option) => option.hidden !== true);
  const own = [name, ...(hasOptions ? ['[options]'] : []), ...(command.arguments ?? []).map(argumentLabel)].join(' ');
  const isGroup = (command.commands ?? []).some((child) => child.hidden !== true);
  return [...(command.load !== undefined || !isGroup ? [own] : []), ...(isGroup ? [`${name} <command>`] : [])];
}

export function sections(path: readonly CommandSpec[]): readonly Section[] {
  const command = commandOf(path);
  const commands = (command.commands ?? []).filter((child) => child.hidden !== true);
  const options = Object.entries(optionsInScope(path))
    .filter(([, option]) => option.hidden !== true)
    // The command's own options come before common ones.
    .toSorted(([, left], [, right]) => Number(left.group !== undefined) - Number(right.group !== undefined));
  return [
    ...grouped(command.arguments ?? [], () => 'Arguments', argumentEntry),
    ...grouped(commands, (child) => child.group ?? 'Commands', commandEntry),
    ...grouped(
      options,
      ([, option]) => option.group ?? 'Options',
      ([name, option]) => optionEntry(name, option),
    ),
  ];
}

/** Headings appear in order of first use. */
function grouped<Item>(
  items: readonly Item[],
  headingOf: (item: Item) => string,
  entryOf: (item: Item) => Entry,
): readonly Section[] {
  const entriesByHeading = new Map<string, Entry[]>();
  for (const item of items) {
    const heading = headingOf(item);
    const entries = entriesByHeading.get(heading) ?? [];
    entriesByHeading.set(heading, entries);
    entries.push(entryOf(item));
  }
  return [...entriesByHeading].map(([heading, entries]) => ({ heading, entries }));
}

function commandEntry(command: CommandSpec): Entry {
  return { label: [command.name, ...(command.aliases ?? [])].join(', '), summary: command.summary };
}

function argumentEntry(argument: ArgumentSpec): Entry {
  return { label: argumentLabel(argument), summary: [argument.summary, ...facts(argument)].join(' ') };
}

function optionEntry(name: string, option: OptionSpec): Entry {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  const word = option.negatable === true ? `no-${optionWord(name)}` : optionWord(name);
  const label = option.value ?? optionWord(name);
  const value = option.type === 'boolean' ? '' : option.bare === undefined ? ` <${label}>` : ` [${label}]`;
  return { label: `${short}--${word}${value}`, summary: [option.summary, ...facts(option)].join(' ') };
}

function facts(spec: Partial<OptionSpec> & { readonly choices?: readonly string[] }): readonly string[] {
  return [
    ...(spec.choices === undefined ? [] : [`(${spec.choices.join(', ')})`]),
    ...(spec.required === true ? ['(required)'] : []),
    ...(spec.multiple === true ? ['(may be repeated)'] : []),
    ...(spec.default === undefined || spec.negatable === true ? [] : [`(default ${spec.default})`]),
    ...(spec.env === undefined ? [] : [`(or $${spec.env})`]),
  ];
}

/** An entry in the help: the label on the left, the summary on the right. */

export interface Entry {
  readonly label: string;
  readonly summary: string;
}

const INDENT = '  ';
const LABEL_COLUMNS_MAX = 32;
const SUMMARY_COLUMNS_MIN = 24;

/** Returns the width of the left column; very long labels do not widen it. */
function labelWidth(entries: readonly Entry[]): number {
  const widest = entries.reduce((width, entry) => Math.max(width, displayWidth(entry.label)), 0);
  return Math.min(widest, LABEL_COLUMNS_MAX);
}

function entryLines(entries: readonly Entry[], labelColumns: number, columns: number): readonly Text[] {
  const indent = INDENT.length + labelColumns + INDENT.length;
  const summaryColumns = Math.max(SUMMARY_COLUMNS_MIN, columns - indent);
  return entries.flatMap(({ label, summary }) => {
    const [first = '', ...more] = wrap(summary, summaryColumns);
    const padding = labelColumns - displayWidth(label);
    const beginning =
      padding < 0
        ? [`${INDENT}${label}`, ' '.repeat(indent) + first]
        : [`${INDENT}${label}${' '.repeat(padding)}${INDENT}${first}`];
    return [...beginning, ...more.map((line) => ' '.repeat(indent) + line)];
  });
}
