import { resolve } from 'node:path';

import { type CommandSpec, type Page, style } from '@holdfast/cli';

import * as operations from '../operations/remotes.ts';
import { command } from './command.ts';

export const remoteCommands: readonly CommandSpec[] = [
  {
    name: 'remote',
    summary: 'Sync a notebook with a remote git repository',
    commands: [
      command(operations.addRemote, {
        name: 'add',
        arguments: ['name', 'url'],
        omit: ['token'],
        complete: { key_file: 'file' },
        options: {
          'token-stdin': { type: 'boolean', summary: 'Read the password or access token from standard input' },
        },
        examples: [
          {
            command: 'holdfast notebooks remote add origin git@example.org:me/notes.git',
            summary: 'Add a remote that uses the ssh agent',
          },
          {
            command: 'holdfast notebooks remote add origin https://example.org/me/notes.git --token-stdin < token.txt',
            summary: 'Add a remote with an access token, which is stored encrypted',
          },
        ],
        prepare: async (input, { options, stdin }) => ({
          ...input,
          ...(typeof input['key_file'] === 'string' ? { key_file: resolve(input['key_file']) } : {}),
          ...(options['token-stdin'] === true ? { token: (await stdin.text()).trim() } : {}),
        }),
        print: ({ name, url, branch }, page) =>
          page.line(`Added remote ${name}, branch ${branch} of ${url}. Sync now with: holdfast notebooks remote sync`),
      }),
      command(operations.removeRemote, {
        name: 'remove',
        arguments: ['remote'],
        print: ({ name }, page) => page.line(`Removed remote ${name}; the remote repository itself is unchanged`),
      }),
      command(operations.listRemotes, {
        name: 'list',
        print: ({ data }, page) => {
          if (data.length === 0) page.line("No remotes. Add one with 'holdfast notebooks remote add NAME ADDRESS'.");
          else printRemotes(data, page);
        },
      }),
      command(operations.syncNotebook, {
        name: 'sync',
        arguments: ['remote'],
        print: ({ remotes, conflicts }, page) => {
          printRemotes(remotes, page);
          printConflicts(conflicts, page);
        },
      }),
    ],
  },
  command(operations.listConflicts, {
    name: 'conflicts',
    print: ({ data }, page) => (data.length === 0 ? page.line('No conflicts.') : printConflicts(data, page)),
  }),
  command(operations.resolveConflict, {
    name: 'resolve',
    arguments: ['copy'],
    examples: [
      {
        command: 'holdfast notebooks resolve a.conflict-3f2a91c0.md --keep copy',
        summary: 'Replace the file with the second version',
      },
    ],
    print: ({ kept }, page) => page.line(`Resolved; kept ${kept.join(' and ')}`),
  }),
];

function printRemotes(remotes: readonly operations.RemoteView[], page: Page): void {
  page.table(remotes, [
    { heading: 'REMOTE', value: ({ name }) => name },
    { heading: 'BRANCH', value: ({ branch }) => branch },
    { heading: 'AHEAD', value: ({ ahead }) => (ahead === null ? '' : String(ahead)), align: 'right' },
    { heading: 'BEHIND', value: ({ behind }) => (behind === null ? '' : String(behind)), align: 'right' },
    { heading: 'SYNCED', value: ({ synced_at }) => synced_at ?? 'never' },
    { heading: 'ADDRESS', value: ({ url }) => url, flexible: true },
  ]);
  for (const { name, problem, skipped } of remotes) {
    if (problem !== null) page.line(style.yellow(`${name}: ${problem.message} (${problem.code})`));
    for (const { path, reason } of skipped) page.line(style.yellow(`${name}: ${path} is not in the folder: ${reason}`));
  }
}

export function printConflicts(conflicts: readonly operations.ConflictView[], page: Page): void {
  for (const { path, copy } of conflicts) page.line(style.yellow(`${path} has a second version: ${copy}`));
  if (conflicts.length > 0) {
    page.line("Decide with 'holdfast notebooks resolve COPY --keep file', '--keep copy' or '--keep both'.");
  }
}
