import { defineCommand } from '@holdfast/cli';

import * as operations from '../operations/maintenance.ts';
import { command, shared } from './command.ts';

export const exportCommand = command(operations.exportBeads, {
  name: 'export',
  flags: { path: 'to-beads' },
  complete: { path: 'file' },
  print: ({ path, lines }, page) => page.line(`Wrote ${lines} lines to ${path}`),
});

const NO_BACKUPS = "No backups. 'ringmaster backup' makes one.";

export const backup = {
  ...command(operations.createBackup, {
    name: 'backup',
    print: ({ path, revision, files }, page) => page.line(`${path}: revision ${revision}, ${files} files, checked`),
  }),
  commands: [
    command(operations.listBackups, {
      name: 'list',
      aliases: ['ls'],
      print: ({ data }, page) => {
        if (data.length === 0) page.line(NO_BACKUPS);
        page.lines(data.map(({ created_at, revision, path }) => `${created_at} r${revision} ${path}`));
      },
    }),
    command(operations.verifyBackups, {
      name: 'verify',
      print: ({ data }, page) => {
        if (data.length === 0) page.line(NO_BACKUPS);
        page.lines(data.map(({ path, problem }) => `${path}: ${problem ?? 'intact'}`));
      },
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
      page.lines([
        `${check}: ${problems.length === 0 ? 'no problems' : ''}`,
        ...problems.map((problem) => `  ${problem}`),
      ]);
    }
  },
  exit: ({ data }) => (data.some(({ problems }) => problems.length > 0) ? 1 : undefined),
});

export const maintain = defineCommand({
  name: 'maintain',
  summary: 'Run maintenance until stopped: reclaim tasks with expired leases, rank tasks, back up and clean up',
  inherits: shared,
  options: { once: { type: 'boolean', summary: 'Run all due jobs once, then exit' } },
  load: async () => ({ run: (await import('./streams.ts')).maintain }),
});

export const restore = defineCommand({
  name: 'restore',
  summary: 'Restore an earlier state, including files',
  description:
    'With --at, restores the state at any commit in the journal, as a new commit that you can undo. With --from, ' +
    'replaces the database with a backup and keeps the old file. Fails while the database is in use.',
  inherits: shared,
  options: {
    at: { type: 'string', summary: 'Revision or time to return to, such as 2026-11-15T10:00:00Z', value: 'when' },
    from: { type: 'string', summary: 'Backup to restore', value: 'file', complete: 'file' },
  },
  load: async () => ({ run: (await import('./setup.ts')).restore }),
});
