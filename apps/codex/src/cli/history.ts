import { type CommandSpec, style } from '@holdfast/cli';

import { diffFile, listHistory, restoreVersion, showCommit } from '../operations/history.ts';
import { command, exitCode, printMore, printQueued, waiting } from './command.ts';

const SHORT_SHA = 10;

export const historyCommands: readonly CommandSpec[] = [
  command(listHistory, {
    name: 'history',
    arguments: ['file'],
    print: ({ data, next_cursor }, page) => {
      if (data.length === 0) page.line('No commits yet.');
      for (const { sha, at, author, subject } of data) {
        page.line(style.yellow(sha.slice(0, SHORT_SHA)), ` ${at} `, style.dim(author), ` ${subject}`);
      }
      printMore(next_cursor, page);
    },
  }),
  command(showCommit, {
    name: 'show-commit',
    arguments: ['commit'],
    print: ({ sha, at, author, subject, files }, page) => {
      page.line(style.yellow(sha), ` ${at} `, style.dim(author));
      page.line(subject);
      for (const { path, diff } of files) page.line(diff ?? `${path}: too long to show`);
    },
  }),
  command(diffFile, {
    name: 'diff',
    arguments: ['file', 'to', 'from'],
    print: ({ diff }, page) => {
      if (diff !== '') page.line(diff.replace(/\n$/u, ''));
    },
  }),
  command(restoreVersion, {
    name: 'restore',
    arguments: ['file', 'commit'],
    defaults: waiting,
    print: printQueued,
    exit: exitCode,
  }),
];
