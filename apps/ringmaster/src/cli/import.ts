import { type CommandContext, type CommandSpec, commandLineErrors } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import * as operations from '../operations/maintenance.ts';
import { command } from './command.ts';

const fromBeads = command(operations.importBeads, {
  name: 'import',
  flags: { path: 'from-beads' },
  complete: { path: 'file' },
  prepare: async (input) => {
    // Without this flag, V8 collects garbage so late that a large import needs twice the memory.
    (await import('node:v8')).setFlagsFromString('--optimize-for-size');
    return input;
  },
  examples: [
    { command: 'ringmaster import --from-beads .beads/issues.jsonl --dry-run', summary: 'Show what would be imported' },
  ],
  print: (report, page) => {
    for (const { line, id, message } of report.problems) {
      page.line(`line ${line}${id === null ? '' : ` ${id}`}: ${message}`);
    }
    page.line(
      `${report.created} created, ${report.updated} updated, ${report.unchanged} unchanged, ${report.skipped} skipped, ` +
        `${report.kept} other lines kept; ${report.links} links` +
        (report.unresolved === 0 ? '' : `, and ${report.unresolved} more that cannot be made yet`) +
        (report.dry_run ? ' (dry run)' : ''),
    );
    if (report.note !== null) page.line(report.note);
  },
});

const fromMarkdown = command(operations.importPlan, {
  name: 'import',
  flags: { path: 'from-markdown' },
  complete: { path: 'file' },
  examples: [{ command: 'ringmaster import --from-markdown PLAN.md --dry-run', summary: 'Show the tasks of a plan' }],
  print: ({ entries, problems, ...report }, page) => {
    page.lines(entries.map(entryLine));
    for (const { line, message } of problems) page.line(`line ${line}: ${message}`);
    page.line(
      `${report.created} created, ${report.completed} marked as done, ${report.unchanged} unchanged; ` +
        `${report.links} dependencies added${report.dry_run ? ' (dry run)' : ''}`,
    );
  },
  exit: ({ problems }) => (problems.length > 0 ? 1 : undefined),
});

function entryLine(entry: OutputOf<typeof operations.importPlan>['entries'][number]): string {
  const details = [
    ...(entry.is_done ? ['done'] : []),
    ...(entry.depends_on.length === 0 ? [] : [`depends on ${entry.depends_on.join('; ')}`]),
  ];
  const more = details.length === 0 ? '' : ` (${details.join(', ')})`;
  return `${'  '.repeat(entry.depth)}${entry.id ?? 'new'} ${entry.type}: ${entry.title}${more}`;
}

const fromGithub = command(operations.importIssues, {
  name: 'import',
  flags: { repository: 'from-github' },
  examples: [{ command: 'ringmaster import --from-github acme/shop', summary: 'Import the issues of a repository' }],
  print: (report, page) =>
    page.line(
      `${report.created} created, ${report.updated} updated, ${report.unchanged} unchanged, ${report.skipped} skipped` +
        (report.dry_run ? ' (dry run)' : ''),
    ),
});

type Options = Readonly<Record<string, unknown>>;

/** Returns one command for several operations. The option that names the source chooses the operation. */
function importFrom(sources: Readonly<Record<string, CommandSpec>>): CommandSpec {
  const commands = Object.values(sources);
  const options = Object.assign({}, ...commands.map((each) => each.options)) as NonNullable<CommandSpec['options']>;
  const optional = Object.keys(sources).map((name) => [name, { ...options[name], required: false }] as const);
  const flags = Object.keys(sources).map(
    (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  return {
    name: 'import',
    summary: 'Import tasks from Beads, GitHub or a Markdown plan',
    options: { ...options, ...Object.fromEntries(optional) } as NonNullable<CommandSpec['options']>,
    examples: commands.flatMap(({ examples = [] }) => examples),
    alternatives: commands,
    load: async () => ({
      run: async (context: CommandContext<{ readonly options: Options }>) => {
        const given = Object.keys(sources).filter((name) => context.options[name] !== undefined);
        const [name, ...others] = given;
        if (name === undefined || others.length > 0) {
          throw commandLineErrors.MISSING_OPTION(`Give exactly one of ${flags.join(', ')}`);
        }
        const chosen = await sources[name]?.load?.();
        return chosen?.run(context as never);
      },
    }),
  };
}

export const importCommand: CommandSpec = importFrom({ fromBeads, fromMarkdown, fromGithub });
