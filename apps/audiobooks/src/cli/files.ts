import { type CommandSpec, defineCommand, type Page, style } from '@holdfast/cli';
import * as corrections from '../operations/corrections.ts';
import * as files from '../operations/files.ts';
import * as operations from '../operations/operations.ts';
import { command, completeBook, noteMore } from './command.ts';
import { fieldText, lengthText, printOperations, printResult } from './print.ts';

const GROUP = 'Files';
const complete = { book: completeBook, books: completeBook } as const;
const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const organise = defineCommand({
  name: 'organise',
  aliases: ['organize'],
  summary: 'Move files to paths made from a template',
  group: GROUP,
  commands: [
    command(files.previewOrganise, {
      name: 'preview',
      arguments: ['books'],
      short: { template: 't' },
      complete: { books: complete.books },
      print: printPlan,
    }),
    command(files.organise, {
      name: 'run',
      arguments: ['books'],
      short: { template: 't' },
      complete: { books: complete.books },
      print: printResult,
    }),
  ],
});

function printPlan(
  { moves, refusals, total_moves: moved, total_refusals: refused }: files.OrganisePlan,
  page: Page,
): void {
  for (const { from, to } of moves) page.lines([style.dim(from), [style.green('  → '), to]]);
  for (const { book_id: id, title, path, reason } of refusals)
    page.lines([
      [style.red('refused '), title, style.dim(`  ${id}`)],
      [style.dim('  → '), `${path}: ${reason}`],
    ]);
  if (moved === 0 && refused === 0) page.line('All files are already at the paths that the template gives them.');
  else {
    page.line(`${plural(moved, 'file')} would move, ${plural(refused, 'book')} refused.`);
    page.line("'holdfast audiobooks organise run' moves the files.");
  }
}

const merge = defineCommand({
  name: 'merge',
  summary: 'Merge the files of a book into one m4b',
  group: GROUP,
  commands: [
    command(files.previewMerge, {
      name: 'preview',
      arguments: ['book'],
      complete: { book: complete.book },
      flags: { bitrate_kbps: 'bitrate' },
      print: ({ paths, method, chapters, duration_ms: duration }, page) => {
        page.lines(paths);
        page.line(
          `${plural(paths.length, 'file')}, ${lengthText(duration)}, ${plural(chapters.length, 'chapter')}: ${method}`,
        );
      },
    }),
    command(files.mergeFiles, {
      name: 'run',
      arguments: ['book'],
      complete: { book: complete.book },
      flags: { bitrate_kbps: 'bitrate' },
      print: printResult,
    }),
  ],
});

const tag = defineCommand({
  name: 'tag',
  summary: 'Write the metadata of a book into its files',
  group: GROUP,
  commands: [
    command(files.previewTags, {
      name: 'preview',
      arguments: ['book'],
      complete: { book: complete.book },
      print: ({ files: count, changes }, page) => {
        for (const { path, field, from, to } of changes)
          page.lines([
            style.dim(path),
            [`  ${field}: `, style.dim(from === '' ? '(empty)' : from), style.green(' → '), to],
          ]);
        page.line(
          count === 0
            ? 'All tags are up to date.'
            : `${plural(count, 'file')} would change. 'holdfast audiobooks tag run' writes the tags.`,
        );
      },
    }),
    command(files.writeTags, {
      name: 'run',
      arguments: ['book'],
      complete: { book: complete.book },
      print: printResult,
    }),
  ],
});

const REASONS = {
  same_files: 'Same audio',
  same_number: 'Same ISBN or ASIN',
  same_reading: 'Same work and narrators',
} as const;

const correct = defineCommand({
  name: 'correct',
  summary: 'Set fields of many books from their folder names or titles',
  group: GROUP,
  examples: [
    {
      command: 'holdfast audiobooks correct preview "{author}/{series} {sequence} - {title}"',
      summary: 'Show what a pattern would change',
    },
  ],
  commands: [
    command(corrections.previewCorrections, {
      name: 'preview',
      arguments: ['pattern'],
      print: ({ books, unchanged, unmatched }, page) => {
        for (const { name, changes } of books) {
          page.line(style.bold(name));
          for (const { field, before, after } of changes)
            page.line(`  ${field}: ${fieldText(before)} → ${fieldText(after)}`);
        }
        page.line(
          `${plural(books.length, 'book')} would change, ${unchanged} are already correct, ${unmatched} do not match.`,
        );
      },
    }),
    command(corrections.runCorrections, {
      name: 'run',
      arguments: ['pattern'],
      print: ({ books, operation_id: id }, page) =>
        page.line(`Changed ${plural(books, 'book')}. Undo: holdfast audiobooks undo ${id}`),
    }),
  ],
});

const duplicates = defineCommand({
  name: 'duplicates',
  summary: 'Find and merge duplicate books',
  group: GROUP,
  commands: [
    command(files.listDuplicates, {
      name: 'list',
      defaults: { limit: 1_000 },
      print: ({ data, next_cursor: cursor }, page, context) => {
        if (data.length === 0 && cursor === null) page.line('No duplicates.');
        for (const { reason, overlap_percent: overlap, books } of data) {
          page.line(style.bold(REASONS[reason]), overlap === null ? '' : ` (${overlap} %)`);
          for (const { id, title, duration_ms: duration } of books)
            page.line(`  ${id}  ${title}  ${lengthText(duration)}`);
        }
        noteMore(context, cursor);
      },
    }),
    command(files.mergeDuplicates, {
      name: 'merge',
      arguments: ['keep', 'drop'],
      complete: { keep: complete.book, drop: complete.book },
      print: ({ book, operation_id: id }, page) =>
        page.line(`Kept ${book.title}. Undo: holdfast audiobooks undo ${id}`),
    }),
  ],
});

const ops = defineCommand({
  name: 'operations',
  aliases: ['ops'],
  summary: 'Follow, cancel and undo scans, merges and other operations',
  group: GROUP,
  commands: [
    command(operations.listOperations, {
      name: 'list',
      aliases: ['ls'],
      print: ({ data, next_cursor: cursor }, page, context) => {
        printOperations(page, data);
        noteMore(context, cursor);
      },
    }),
    command(operations.showOperation, {
      name: 'show',
      arguments: ['operation'],
      print: (operation, page) => printOperations(page, [operation]),
    }),
    command(operations.operationLog, {
      name: 'log',
      arguments: ['operation'],
      print: ({ data, next_cursor: last }, page, { note }) => {
        for (const { seq, level, message } of data) {
          const mark = level === 'info' ? '' : style.yellow(`${level} `);
          page.line(style.dim(String(seq).padStart(5)), ' ', mark, message);
        }
        if (last !== null) note(`More lines: add --after ${last}`);
      },
    }),
    command(operations.cancelOperation, {
      name: 'cancel',
      arguments: ['operation'],
      print: ({ type, id }, page) => page.line(`Cancelling ${type} ${id}.`),
    }),
  ],
});

export const fileCommands: readonly CommandSpec[] = [
  organise,
  merge,
  command(files.transcode, {
    name: 'transcode',
    group: GROUP,
    arguments: ['book'],
    complete: { book: complete.book },
    flags: { bitrate_kbps: 'bitrate' },
    print: printResult,
  }),
  tag,
  correct,
  duplicates,
  ops,
  command(operations.undoOperation, { name: 'undo', group: GROUP, arguments: ['operation'], print: printResult }),
];
