import { type CommandSpec, defineCommand, type Page } from '@holdfast/cli';
import * as progress from '../operations/progress.ts';
import * as statistics from '../operations/statistics.ts';
import { command, completeBook, noteMore, userOption } from './command.ts';
import { lengthText, timeText } from './print.ts';

const GROUP = 'Listening';
const complete = { book: completeBook } as const;
const options = userOption;

function printProgress(entry: progress.Progress | null, page: Page): void {
  if (entry === null) page.line('Not started.');
  else page.line(`${lengthText(entry.position_ms)} (${entry.percent} %)${entry.finished ? ', finished' : ''}`);
}

const progressCommand = defineCommand({
  name: 'progress',
  summary: 'Show and set listening positions',
  group: GROUP,
  commands: [
    command(progress.listProgress, {
      name: 'list',
      aliases: ['ls'],
      options,
      print: ({ data, next_cursor: cursor }, page, context) => {
        if (data.length === 0) page.line('No books started yet.');
        else
          page.table(data, [
            { heading: 'TITLE', value: ({ title }) => title ?? '(deleted)', flexible: true },
            { heading: 'POSITION', value: ({ position_ms: position }) => lengthText(position), align: 'right' },
            { heading: '%', value: ({ percent }) => String(percent), align: 'right' },
            { heading: 'FINISHED', value: ({ finished }) => (finished ? 'yes' : '') },
            { heading: 'LAST', value: ({ updated_at: at }) => timeText(at) },
          ]);
        noteMore(context, cursor);
      },
    }),
    command(progress.showProgress, { name: 'show', arguments: ['book'], complete, options, print: printProgress }),
    command(progress.setProgress, {
      name: 'set',
      arguments: ['book', 'position_ms'],
      complete,
      options,
      omit: ['finished'],
      print: printProgress,
    }),
    command(progress.setProgress, {
      name: 'finish',
      arguments: ['book'],
      complete,
      options,
      fixed: { finished: true },
      omit: ['position_ms'],
      print: printProgress,
    }),
    command(progress.setProgress, {
      name: 'unfinish',
      arguments: ['book'],
      complete,
      options,
      fixed: { finished: false },
      omit: ['position_ms'],
      print: printProgress,
    }),
    command(progress.resetProgress, {
      name: 'reset',
      arguments: ['book'],
      complete,
      options,
      print: (_output, page) => page.line('Marked as not started.'),
    }),
    command(progress.listJumps, {
      name: 'jumps',
      arguments: ['book'],
      complete,
      options,
      print: ({ data }, page) => {
        for (const { position_ms: position, at, reason } of data) {
          page.line(`${lengthText(position)}  ${timeText(at)}  ${reason}`);
        }
      },
    }),
  ],
});

function printBookmarks(page: Page, rows: readonly progress.Bookmark[]): void {
  if (rows.length === 0) page.line('No bookmarks.');
  else
    page.table(rows, [
      { heading: 'ID', value: ({ id }) => id },
      { heading: 'POSITION', value: ({ position_ms: position }) => lengthText(position), align: 'right' },
      { heading: 'NOTE', value: ({ note }) => note, flexible: true },
    ]);
}

const bookmark = defineCommand({
  name: 'bookmark',
  summary: 'Show and edit bookmarks',
  group: GROUP,
  commands: [
    command(progress.listBookmarks, {
      name: 'list',
      aliases: ['ls'],
      arguments: ['book'],
      complete,
      options,
      print: ({ data, next_cursor: cursor }, page, context) => {
        printBookmarks(page, data);
        noteMore(context, cursor);
      },
    }),
    command(progress.addBookmark, {
      name: 'add',
      arguments: ['book', 'position_ms', 'note'],
      complete,
      options,
      print: (added, page) => printBookmarks(page, [added]),
    }),
    command(progress.editBookmark, {
      name: 'edit',
      arguments: ['bookmark'],
      options,
      print: (edited, page) => printBookmarks(page, [edited]),
    }),
    command(progress.removeBookmark, {
      name: 'remove',
      arguments: ['bookmark'],
      options,
      print: (_output, page) => page.line('Removed the bookmark.'),
    }),
  ],
});

function printPreferences(preferences: progress.Preferences, page: Page): void {
  const { speed, skip_back_seconds: back, skip_forward_seconds: forward, sleep_minutes: sleep } = preferences;
  page.fields([
    ['speed', String(speed)],
    ['skip back', `${back} s`],
    ['skip forward', `${forward} s`],
    ['sleep timer', `${sleep} min`],
  ]);
}

const preferences = defineCommand({
  name: 'preferences',
  summary: 'Show and change playback preferences',
  group: GROUP,
  commands: [
    command(progress.showPreferences, { name: 'show', options, print: printPreferences }),
    command(progress.setPreferences, {
      name: 'set',
      options,
      omit: ['finished_when', 'books'],
      print: printPreferences,
    }),
  ],
});

function printStatistics(found: statistics.Statistics, page: Page): void {
  page.line(`${lengthText(found.listen_seconds * 1_000)} listened, ${found.finished} books finished`);
  page.table(found.books, [
    { heading: 'TITLE', value: ({ book }) => book?.title ?? '(deleted)', flexible: true },
    { heading: 'LISTENED', value: ({ seconds }) => lengthText(seconds * 1_000), align: 'right' },
  ]);
}

const stats = defineCommand({
  name: 'stats',
  summary: 'Show and maintain listening statistics',
  group: GROUP,
  commands: [
    command(statistics.showStatistics, { name: 'show', options, print: printStatistics }),
    command(statistics.showYear, {
      name: 'year',
      arguments: ['year'],
      options,
      print: (found, page) => {
        printStatistics(found, page);
        page.line(`Longest streak: ${found.streak_days} ${found.streak_days === 1 ? 'day' : 'days'}`);
      },
    }),
    command(statistics.listListeners, {
      name: 'users',
      print: ({ data }, page) => {
        if (data.length === 0) page.line('Nobody has listened yet.');
        else
          page.table(data, [
            { heading: 'USER', value: ({ user_id: user }) => user, flexible: true },
            { heading: 'LISTENED', value: ({ listen_seconds: time }) => lengthText(time * 1_000), align: 'right' },
            { heading: 'PLAYS', value: ({ plays }) => String(plays), align: 'right' },
            { heading: 'FINISHED', value: ({ finished }) => String(finished), align: 'right' },
          ]);
      },
    }),
    command(statistics.rebuildStatistics, {
      name: 'rebuild',
      print: ({ events, users, corrected }, page) =>
        page.line(`Counted ${events} events from ${users} users; corrected ${corrected} counters.`),
    }),
    command(statistics.pruneEvents, {
      name: 'prune',
      print: ({ removed }, page) => page.line(`Removed ${removed} events; totals are unchanged.`),
    }),
  ],
});

export const listening: readonly CommandSpec[] = [progressCommand, bookmark, preferences, stats];
