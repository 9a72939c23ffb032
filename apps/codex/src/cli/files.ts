import type { CommandSpec } from '@holdfast/cli';

import * as operations from '../operations/files.ts';
import { command, exitCode, printMore, printQueued, waiting } from './command.ts';

const hidden = ['after_event'] as const;

export const fileCommands: readonly CommandSpec[] = [
  command(operations.listFiles, {
    name: 'ls',
    arguments: ['path'],
    defaults: { limit: 1_000 },
    omit: hidden,
    print: ({ data, next_cursor }, page) => {
      if (data.length === 0) page.line('No files.');
      else
        page.table(data, [
          { heading: 'PATH', value: ({ path }) => path, flexible: true },
          { heading: 'BYTES', value: ({ size }) => String(size), align: 'right' },
          { heading: 'CHANGED', value: ({ updated_at }) => updated_at },
          { heading: 'GIT', value: ({ git_reason }) => git_reason ?? '' },
        ]);
      printMore(next_cursor, page);
    },
  }),
  command(operations.listTree, {
    name: 'tree',
    arguments: ['folder'],
    omit: hidden,
    print: ({ data, next_cursor }, page) => {
      if (data.length === 0) page.line('No entries.');
      for (const { kind, path } of data) page.line(kind === 'folder' ? `${path}/` : path);
      printMore(next_cursor, page);
    },
  }),
  command(operations.listFolders, {
    name: 'folders',
    omit: hidden,
    print: ({ data, next_cursor }, page) => {
      if (data.length === 0) page.line('No folders.');
      for (const { path } of data) page.line(path);
      printMore(next_cursor, page);
    },
  }),
  command(operations.showFile, {
    name: 'stat',
    arguments: ['file'],
    omit: hidden,
    print: (file, page) =>
      page.fields([
        ['id', file.id],
        ['path', file.path],
        ['title', file.title ?? ''],
        ['type', file.content_type],
        ['bytes', String(file.size)],
        ['hash', file.hash],
        ['changed', file.updated_at],
        ['tags', file.tags.join(', ')],
        ['commit', file.last_commit_hash ?? file.git_reason ?? ''],
      ]),
  }),
  command(operations.readFile, {
    name: 'cat',
    arguments: ['file'],
    flags: { commit: 'at' },
    omit: ['offset', 'length'],
    print: ({ content, encoding }, _page, { out }) => out.raw(Buffer.from(content, encoding)),
  }),
  command(operations.writeFile, {
    name: 'write',
    arguments: ['path'],
    fixed: { overwrite: true },
    omit: ['content', 'encoding'],
    options: {
      content: { type: 'string', summary: 'Content of the file', value: 'text' },
      from: { type: 'string', summary: 'Read the content from this file', value: 'file', complete: 'file' },
    },
    defaults: waiting,
    description: 'Reads the content from --content, --from or standard input.',
    examples: [{ command: 'date | holdfast notebooks write log/now.txt', summary: 'Write standard input to a file' }],
    prepare: async (input, context) => ({ ...input, ...(await (await import('./content.ts')).readContent(context)) }),
    print: printQueued,
    exit: exitCode,
  }),
  command(operations.createFolder, {
    name: 'mkdir',
    arguments: ['path'],
    defaults: waiting,
    print: printQueued,
    exit: exitCode,
  }),
  command(operations.moveFile, {
    name: 'mv',
    arguments: ['file', 'dest_path'],
    defaults: waiting,
    print: printQueued,
    exit: exitCode,
  }),
  command(operations.deleteFile, {
    name: 'rm',
    arguments: ['file'],
    defaults: waiting,
    examples: [{ command: 'holdfast notebooks rm old && holdfast notebooks undelete', summary: 'Delete and restore' }],
    print: (queued, page) => {
      printQueued(queued, page);
      page.line(`To undo this: holdfast notebooks undelete ${queued.event_id}`);
    },
    exit: exitCode,
  }),
  command(operations.listTrash, {
    name: 'trash',
    print: ({ data }, page) => {
      if (data.length === 0) return page.line('The trash is empty.');
      return page.table(data, [
        { heading: 'EVENT', value: ({ event_id }) => String(event_id), align: 'right' },
        { heading: 'DELETED', value: ({ deleted_at }) => deleted_at },
        { heading: 'PATH', value: ({ path }) => path, flexible: true },
      ]);
    },
  }),
  command(operations.restoreDeleted, {
    name: 'undelete',
    arguments: ['event_id'],
    flags: { path: 'to' },
    defaults: waiting,
    print: printQueued,
    exit: exitCode,
  }),
  command(operations.setProperties, {
    name: 'set',
    arguments: ['file', 'assignments'],
    omit: ['set', 'unset'],
    defaults: waiting,
    description:
      'name=value sets a property; name= removes it. Values that are valid JSON are read as JSON, all others as text: ' +
      'done=true, tags=["a","b"], status=open.',
    examples: [
      { command: 'holdfast notebooks set runs/1.md status=done', summary: 'Set a property in the front matter' },
    ],
    print: printQueued,
    exit: exitCode,
  }),
];
