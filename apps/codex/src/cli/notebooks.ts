import { resolve } from 'node:path';

import { type CommandSpec, type Page, style } from '@holdfast/cli';
import type { OutputOf } from '@holdfast/operation';

import * as operations from '../operations/notebooks.ts';
import type { RemoteView } from '../operations/remotes.ts';
import { command } from './command.ts';
import { printConflicts } from './remotes.ts';

export const notebookCommands: readonly CommandSpec[] = [
  command(operations.listNotebooks, {
    name: 'list',
    print: ({ data }, page) => {
      if (data.length === 0) return page.line("No notebooks. Add one with 'holdfast notebooks add NAME FOLDER'.");
      return page.table(data, [
        { heading: 'ID', value: ({ id }) => String(id), align: 'right' },
        { heading: 'NAME', value: ({ name }) => name },
        { heading: 'FOLDER', value: ({ path }) => path, flexible: true },
      ]);
    },
  }),
  command(operations.addNotebook, {
    name: 'add',
    arguments: ['name', 'path'],
    complete: { path: 'directory' },
    examples: [{ command: 'holdfast notebooks add lab ~/lab', summary: 'Use an existing folder' }],
    prepare: (input) => (typeof input['path'] === 'string' ? { ...input, path: resolve(input['path']) } : input),
    print: ({ id, name, path }, page) => page.line(`Added notebook ${id}, ${name}, in ${path}`),
  }),
  command(operations.showNotebook, {
    name: 'show',
    arguments: ['notebook'],
    print: ({ id, name, path, state, created_at, reconciled_at }, page) =>
      page.fields([
        ['id', String(id)],
        ['name', name],
        ['folder', path],
        ['state', state],
        ['created', created_at],
        ['compared', reconciled_at ?? 'never'],
      ]),
  }),
  command(operations.removeNotebook, {
    name: 'remove',
    arguments: ['notebook'],
    print: ({ name, path }, page) => page.line(`Removed notebook ${name}; its files are still in ${path}`),
  }),
  command(operations.queueStatus, { name: 'status', print: printStatus }),
  command(operations.pauseNotebook, {
    name: 'pause',
    arguments: ['notebook'],
    print: ({ notebook: { name }, commit_sha, problem, held }, page) => {
      page.line(`Paused ${name}. Requests are queued until 'holdfast notebooks resume'.`);
      if (problem !== null) page.line(style.yellow(`Some changes are not committed: ${problem}`));
      for (const path of held) page.line(style.yellow(`${path} is staged and waits for your commit`));
      if (problem === null && held.length === 0) page.line(`Everything is committed: ${commit_sha ?? 'no commit yet'}`);
    },
  }),
  command(operations.resumeNotebook, {
    name: 'resume',
    arguments: ['notebook'],
    print: ({ name }, page) => page.line(`Resumed ${name}`),
  }),
  command(operations.reconcileNotebook, {
    name: 'reconcile',
    print: ({ seen, queued, skipped }, page) => {
      page.line(`Compared ${seen} files and found ${queued} differences`);
      for (const { path, reason } of skipped) page.line(`${path} ${reason}`);
    },
  }),
  command(operations.reindexNotebook, {
    name: 'reindex',
    arguments: ['notebook'],
    print: ({ files, indexed }, page) => page.line(`Indexed ${indexed} of ${files} files`),
  }),
];

function printStatus(status: OutputOf<typeof operations.queueStatus>, page: Page): void {
  const { pending, oldest_pending_seconds: oldest, processing, dead, failed_24h, completed_24h, notebooks } = status;
  page.fields([
    ['waiting', pending === 0 ? '0' : `${pending}, the oldest for ${oldest.toFixed(1)} s`],
    ['running', String(processing)],
    ['failed', dead === 0 ? '0' : `${dead}, ${failed_24h} of them in the last day`],
    ['done', `${completed_24h} in the last day`],
  ]);
  page.table(notebooks, [
    { heading: 'NOTEBOOK', value: ({ name }) => name, flexible: true },
    { heading: 'WAITING', value: (each) => String(each.pending), align: 'right' },
    { heading: 'FAILED', value: (each) => String(each.dead), align: 'right' },
    { heading: 'NOT COMMITTED', value: ({ git_pending }) => String(git_pending), align: 'right' },
    { heading: 'COMPARED', value: ({ reconciled_at }) => reconciled_at ?? 'never' },
  ]);
  for (const { name, paused, git_problem, held, problems, remotes, conflicts } of notebooks) {
    if (paused !== null) page.line(style.yellow(`${name}: ${paused.reason}`));
    if (git_problem !== null) page.line(style.yellow(`${name}: nothing is committed: ${git_problem}`));
    for (const path of held) page.line(style.yellow(`${name}: ${path} is staged and waits for your commit`));
    for (const { source, code, message } of problems) {
      if (message !== git_problem) page.line(style.yellow(`${name}: ${source}: ${message} (${code})`));
    }
    for (const remote of remotes) page.line(`${name}: ${remoteText(remote)}`);
    printConflicts(conflicts, page);
  }
}

function remoteText({ name, ahead, behind, synced_at, problem }: RemoteView): string {
  const state =
    synced_at === null ? 'never synced' : `synced ${synced_at}, ${ahead ?? '?'} ahead, ${behind ?? '?'} behind`;
  return `remote ${name}: ${state}${problem === null ? '' : `; ${problem.message} (${problem.code})`}`;
}
