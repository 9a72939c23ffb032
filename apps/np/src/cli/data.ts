import { MEBIBYTE } from '@holdfast/base';
import {
  type CommandContext,
  commandLineErrors,
  type CommandSpec,
  printVerified,
  verifiedExitCode,
} from '@holdfast/cli';
import { readTextFile } from '../adapters/files.ts';
import { parseJson, toMarkdown } from '../model/exported.ts';
import type { OutputOf } from '@holdfast/operation';
import {
  exportSession,
  importSession,
  listKeys,
  readGlobalLog as readAllLogs,
  readLog,
  verifyStore,
} from '../operations/sessions.ts';
import { eventLines, printPlan } from './print.ts';
import { command, type TargetOptions } from './command.ts';

const GROUP = 'Data';
const EXPORT_BYTES_MAX: number = 512 * MEBIBYTE;

const log = command(readLog, {
  name: 'log',
  omit: ['order'],
  short: { limit: 'n' },
  options: {
    follow: { type: 'boolean', short: 'f', summary: 'Keep printing new events as they happen' },
    all: { type: 'boolean', summary: 'Show the events in all sessions' },
    after: { type: 'integer', summary: 'Only events after this number, oldest first', value: 'seq', min: 0 },
  },
  prepare: (input, { options: { after } }) =>
    after === undefined ? { ...input, order: 'newest' } : { ...input, order: 'oldest', cursor: `${after as number}` },
  print: ({ data }, page, { options: { after } }) => {
    const shown = after === undefined ? data.toReversed() : data;
    page.lines(shown.flatMap((event) => eventLines(event)));
  },
});

/** `--follow` and `--all` have their own implementation; everything else runs the operation. */
const logCommand: CommandSpec = {
  ...log,
  load: async () => {
    const bound = await log.load?.();
    return {
      run: (context: CommandContext<{ readonly options: LogOptions }>) =>
        context.options.follow || context.options.all ? runLog(context) : bound?.run(context as never),
    };
  },
};

interface LogOptions extends TargetOptions {
  readonly follow: boolean;
  readonly all: boolean;
  readonly after: number | undefined;
  readonly limit: number;
}

async function runLog(context: CommandContext<{ readonly options: LogOptions }>): Promise<void> {
  const { options, out, signal } = context;
  const { all, after, follow, limit } = options;
  if (all && after !== undefined) {
    throw commandLineErrors.INVALID_ARGUMENT(
      '--after takes an event number from one session; it cannot be used with --all.',
    );
  }
  if (all && (options.session ?? options.dir) !== undefined) {
    throw commandLineErrors.INVALID_ARGUMENT('--all covers all sessions; it cannot be used with --session or --dir.');
  }
  if (options.server !== undefined) {
    const { remoteRun, requireLocal } = await import('./remote.ts');
    if (follow) return requireLocal(options, 'np log --follow');
    const found = await remoteRun(options, context.env)(readAllLogs, { limit });
    const entries = found as OutputOf<typeof readAllLogs>;
    return out.result(entries, (page) => page.lines(entries.flatMap(({ event, sid }) => eventLines(event, sid))));
  }
  const { followGlobalLog, followLog, readGlobalLog } = await import('../service/log.ts');
  const { withNp } = await import('./with-np.ts');
  await withNp(context, async ({ np, where }) => {
    if (!all) {
      for await (const event of followLog(np, where, { after, limit, signal })) {
        out.item(event, (page) => page.lines(eventLines(event)));
      }
    } else if (follow) {
      for await (const entry of followGlobalLog(np, { limit, signal })) {
        out.item(entry, (page) => page.lines(eventLines(entry.event, entry.sid)));
      }
    } else {
      const entries = await readGlobalLog(np, limit);
      out.result(entries, (page) => page.lines(entries.flatMap(({ event, sid }) => eventLines(event, sid))));
    }
  });
}

const exportCommand = command(exportSession, {
  name: 'export',
  group: GROUP,
  description: 'Prints the document itself; --json wraps it in the standard response envelope.',
  options: { format: { type: 'string', summary: 'Output format', choices: ['md', 'json'], default: 'md' } },
  print: (exported, _page, { out, options: { format } }) =>
    out.raw(format === 'md' ? toMarkdown(exported) : `${JSON.stringify(exported, null, 2)}\n`),
});

const importCommand = command(importSession, {
  name: 'import',
  group: GROUP,
  without: ['session', 'actor'],
  arguments: ['document'],
  complete: { document: 'file' },
  prepare: async ({ document: file, ...input }, { stdin }) => {
    const text = file === '-' ? await stdin.text(EXPORT_BYTES_MAX) : readTextFile(String(file));
    return { ...input, document: parseJson(text) };
  },
  print: printPlan,
});

const keys = command(listKeys, {
  name: 'keys',
  group: GROUP,
  without: ['session', 'dir', 'actor', 'server'],
  arguments: ['prefix'],
  print: (entries, page) =>
    page.lines(
      entries.map(({ key, value, encoding }) =>
        `${key} ${encoding === 'json' ? JSON.stringify(value) : String(value)}`.trimEnd(),
      ),
    ),
});

const verify = command(verifyStore, {
  name: 'verify',
  group: GROUP,
  without: ['session', 'dir', 'actor', 'server'],
  print: printVerified,
  exit: verifiedExitCode,
});

export const dataCommands: readonly CommandSpec[] = [logCommand, exportCommand, importCommand, keys, verify];
