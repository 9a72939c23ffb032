import { type CommandSpec, defineCommand, type Page } from '@holdfast/cli';
import * as operations from '../operations/chapters.ts';
import type { BookDetail } from '../operations/fields.ts';
import { showBook } from '../operations/books.ts';
import { command, completeBook } from './command.ts';
import { lengthText } from './print.ts';
import { parseMark } from './chapter-mark.ts';
import { findChapters } from './metadata.ts';

const complete = { book: completeBook } as const;

function printChapters({ chapters }: Pick<BookDetail, 'chapters'>, page: Page): void {
  page.table(chapters, [
    { heading: 'START', value: ({ start_ms: start }) => lengthText(start), align: 'right' },
    { heading: 'TITLE', value: ({ title }) => title, flexible: true },
  ]);
}

export const chapters: CommandSpec = defineCommand({
  name: 'chapters',
  summary: 'Show and edit the chapters of a book',
  group: 'Files',
  commands: [
    command(showBook, { name: 'show', arguments: ['book'], complete, print: printChapters }),
    command(operations.setChapters, {
      name: 'set',
      arguments: ['book'],
      complete,
      flags: { chapters: 'chapter' },
      defaults: { chapters: [] },
      description:
        'Give each chapter as "START TITLE". START has hours, minutes and seconds, such as 1:02:30 or 0:00. If you ' +
        'give no chapters, the book gets the chapters of its files again.',
      examples: [
        {
          command: 'holdfast audiobooks chapters set Emma --chapter "0:00 One" --chapter "12:30 Two"',
          summary: 'Give a book two chapters',
        },
      ],
      prepare: (input) => ({
        ...input,
        chapters: ((input['chapters'] ?? []) as readonly unknown[]).map((given) => parseMark(String(given))),
      }),
      print: printChapters,
    }),
    command(operations.listSilences, {
      name: 'silences',
      arguments: ['book'],
      complete,
      print: ({ data }, page) => {
        if (data.length === 0) page.line('No silences found. Try a shorter silence or a higher level.');
        else
          page.table(data, [
            { heading: 'START', value: ({ start_ms: start }) => lengthText(start), align: 'right' },
            {
              heading: 'SILENCE BEFORE',
              value: ({ silence_ms: ms }) => (ms === 0 ? 'start of a file' : `${(ms / 1_000).toFixed(1)} s`),
            },
          ]);
      },
    }),
    findChapters,
    command(operations.readCueSheet, {
      name: 'cue',
      arguments: ['book'],
      complete,
      stdin: 'cue',
      examples: [{ command: 'holdfast audiobooks chapters cue Emma --cue - < Emma.cue', summary: 'Read a cue sheet' }],
      print: ({ data }, page) =>
        page.table(data, [
          { heading: 'START', value: ({ start_ms: start }) => lengthText(start), align: 'right' },
          { heading: 'TITLE', value: ({ title }) => title, flexible: true },
        ]),
    }),
  ],
});
