import { defineCommand } from '@holdfast/cli';

import * as operations from '../operations/maintenance.ts';
import { command, shared } from './command.ts';

export const importCommand = command(operations.importBeads, {
  name: 'import',
  flags: { content: 'from-beads' },
  complete: { content: 'file' },
  omit: ['source'],
  prepare: async (input) => {
    const { readText } = await import('../adapters/files.ts');
    const path = String(input['content']);
    return { ...input, content: readText(path), source: path };
  },
  examples: [{ command: 'ringmaster import --from-beads .beads/issues.jsonl --dry-run', summary: 'Look first' }],
  print: (report, page) => {
    for (const { line, id, message } of report.problems) {
      page.line(`line ${line}${id === null ? '' : ` ${id}`}: ${message}`);
    }
    page.line(
      `${report.created} created, ${report.updated} updated, ${report.unchanged} unchanged, ${report.skipped} skipped, ` +
        `${report.kept} other lines kept; ${report.links} links, and ${report.unresolved} to tasks that are not here` +
        (report.dry_run ? ' (dry run)' : ''),
    );
  },
});

export const exportCommand = command(operations.exportBeads, {
  name: 'export',
  flags: { path: 'to-beads' },
  complete: { path: 'file' },
  print: ({ path, lines }, page) => page.line(`Wrote ${lines} lines to ${path}`),
});

export const backup = {
  ...command(operations.createBackup, {
    name: 'backup',
    print: ({ path, revision, files }, page) => page.line(`${path}: revision ${revision}, ${files} files, checked`),
  }),
  commands: [
    command(operations.listBackups, {
      name: 'list',
      aliases: ['ls'],
      print: ({ data }, page) =>
        page.lines(data.map(({ created_at, revision, path }) => `${created_at} r${revision} ${path}`)),
    }),
    command(operations.verifyBackups, {
      name: 'verify',
      print: ({ data }, page) => page.lines(data.map(({ path, problem }) => `${path}: ${problem ?? 'sound'}`)),
      exit: ({ data }) => (data.some(({ problem }) => problem !== null) ? 1 : undefined),
    }),
  ],
};

export const cleanup = command(operations.cleanUp, {
  name: 'cleanup',
  print: ({ archived, logs, events }, page) =>
    page.line(`Archived ${archived} tasks, deleted ${logs} logs and ${events} events`),
});

export const doctor = command(operations.examine, {
  name: 'doctor',
  print: ({ data }, page) => {
    for (const { check, problems } of data) {
      page.lines([`${check}: ${problems.length === 0 ? 'sound' : ''}`, ...problems.map((problem) => `  ${problem}`)]);
    }
  },
  exit: ({ data }) => (data.some(({ problems }) => problems.length > 0) ? 1 : undefined),
});

export const maintain = defineCommand({
  name: 'maintain',
  summary: 'Run maintenance until stopped: reclaim lost tasks, rank, back up hourly, clean up',
  inherits: shared,
  options: { once: { type: 'boolean', summary: 'Run everything that is due once, then exit' } },
  load: async () => ({ run: (await import('./streams.ts')).maintain }),
});

export const restore = defineCommand({
  name: 'restore',
  summary: 'Go back to an earlier state, files included',
  description:
    'With --at, to any commit in the window, as one more commit that can itself be undone. With --from, a backup replaces ' +
    'the database, and the old file is kept. Refused while a worker or another process uses it.',
  inherits: shared,
  options: {
    at: { type: 'string', summary: 'Revision, or a time such as 2026-11-15T10:00:00Z', value: 'when' },
    from: { type: 'string', summary: 'Backup', value: 'file', complete: 'file' },
  },
  load: async () => ({ run: (await import('./setup.ts')).restore }),
});
