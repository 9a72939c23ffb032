/** Man pages in roff, from the same command descriptions as `--help`. */
import { commandName, commandOf } from '../parse/resolve.ts';
import type { CommandSpec, ProgramSpec } from '../spec/command.ts';
import { type Entry, EXIT_CODES, sections, usageLines } from './help.ts';

export function manPage(program: ProgramSpec): string {
  const { name, version, summary } = program;
  const lines = [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${version}" "Holdfast"`,
    // Turns off hyphenation and justification, which look bad with long options and paths.
    '.nh',
    '.ad l',
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    ...usage([program]),
    ...(program.description === undefined ? [] : ['.SH DESCRIPTION', ...text(program.description)]),
    ...sections([program]).flatMap(({ heading, entries }) => [
      `.SH "${escaped(heading.toUpperCase())}"`,
      ...entries.flatMap(entryLines),
    ]),
    ...descendants([program]).flatMap(commandSection),
    '.SH "EXIT CODES"',
    ...text(EXIT_CODES),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns every visible command below this one, in the same order as in the help. */
function descendants(path: readonly CommandSpec[]): readonly (readonly CommandSpec[])[] {
  const visible = (commandOf(path).commands ?? []).filter(({ hidden }) => hidden !== true);
  return visible.flatMap((child) => [[...path, child], ...descendants([...path, child])]);
}

/** Options that every command inherits are described once, at the top. */
function commandSection(path: readonly CommandSpec[]): readonly string[] {
  const { summary, description, examples = [] } = commandOf(path);
  const [program] = path;
  const common = new Set(sections(program === undefined ? [] : [program]).map(({ heading }) => heading));
  const own = sections(path).filter(
    ({ heading }) => heading === 'Arguments' || heading === 'Options' || !common.has(heading),
  );
  return [
    `.SH "${escaped(commandName(path))}"`,
    ...text(`${summary}.`),
    ...(description === undefined ? [] : ['.PP', ...text(description)]),
    '.PP',
    ...usage(path),
    ...own.flatMap(({ entries }) => entries.flatMap(entryLines)),
    ...examples.flatMap((example) => [
      '.PP',
      ...text(`${example.summary}:`),
      '.RS',
      '.EX',
      ...text(example.command),
      '.EE',
      '.RE',
    ]),
  ];
}

function usage(path: readonly CommandSpec[]): readonly string[] {
  return usageLines(path).flatMap((line, index) => [...(index === 0 ? [] : ['.br']), ...text(line)]);
}

function entryLines({ label, summary }: Entry): readonly string[] {
  return ['.TP', `\\fB${escaped(label.trim())}\\fR`, ...text(summary)];
}

function text(content: string): readonly string[] {
  return content.split('\n').map((line) => (/^\s*$/u.test(line) ? '.PP' : line.replace(/^[\s\S]*$/u, guarded)));
}

/** roff reads a line that begins with a dot or an apostrophe as a request. */
function guarded(line: string): string {
  return `${/^[.']/u.test(line) ? '\\&' : ''}${escaped(line)}`;
}

function escaped(content: string): string {
  return content
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll(/[^\n -~]/gu, (character) => `\\[u${hexadecimal(character)}]`);
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
