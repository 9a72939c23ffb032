import { type CommandSpec, style } from '@holdfast/cli';

import * as operations from '../operations/notes.ts';
import { command, printMore } from './command.ts';

export const noteCommands: readonly CommandSpec[] = [
  command(operations.createNote, {
    name: 'new',
    arguments: ['title'],
    short: { template: 't' },
    examples: [
      {
        command: "holdfast notebooks new 'Boiling point' -t experiment",
        summary: 'Create a note from templates/experiment.md',
      },
    ],
    print: ({ absolute_path }, page) => page.line(absolute_path),
  }),
  command(operations.dailyNote, {
    name: 'daily',
    arguments: ['date'],
    examples: [{ command: 'vi "$(holdfast notebooks daily)"', summary: "Edit today's note" }],
    print: ({ absolute_path }, page) => page.line(absolute_path),
  }),
  command(operations.listTemplates, {
    name: 'templates',
    print: ({ data }, page) => {
      if (data.length === 0) page.line('No templates.');
      for (const { name, path } of data) page.line(name, style.dim(`  ${path}`));
    },
  }),
  variadic(
    command(operations.search, {
      name: 'search',
      arguments: ['query'],
      prepare: (input) => ({ ...input, query: ((input['query'] ?? []) as readonly string[]).join(' ') }),
      flags: { tags: 'tag', properties: 'property' },
      omit: ['after_event'],
      defaults: { limit: 20 },
      examples: [
        { command: 'holdfast notebooks search boil --tag lab', summary: 'Find boil and boiling in notes tagged lab' },
        {
          command: "holdfast notebooks search 'status:open -tag:later'",
          summary: 'Find notes whose status is open and that are not tagged later',
        },
      ],
      print: ({ data, next_cursor }, page) => {
        if (data.length === 0) page.line('Nothing found.');
        const isOne = new Set(data.map(({ notebook }) => notebook)).size < 2;
        for (const { notebook, file, snippet } of data) {
          const place = isOne ? file.path : `${notebook}: ${file.path}`;
          page.line(style.bold(place), file.title === null ? '' : `  ${file.title}`);
          if (snippet.every(({ text }) => text.trim() === '')) continue;
          page.line(
            '  ',
            ...snippet.map(({ text, hit }) => (hit ? style.bold(oneLine(text)) : style.dim(oneLine(text)))),
          );
        }
        printMore(next_cursor, page);
      },
    }),
  ),
  command(operations.listTags, {
    name: 'tags',
    print: ({ data }, page) => {
      if (data.length === 0) return page.line('No tags.');
      return page.table(data, [
        { heading: 'TAG', value: ({ tag }) => tag, flexible: true },
        { heading: 'NOTES', value: ({ count }) => String(count), align: 'right' },
      ]);
    },
  }),
  command(operations.listProperties, {
    name: 'properties',
    print: ({ data }, page) => {
      if (data.length === 0) return page.line('No properties.');
      return page.table(data, [
        { heading: 'PROPERTY', value: ({ key }) => key, flexible: true },
        { heading: 'NOTES', value: ({ count }) => String(count), align: 'right' },
      ]);
    },
  }),
  command(operations.listLinks, {
    name: 'links',
    arguments: ['file'],
    omit: ['after_event'],
    print: ({ outgoing, incoming }, page) => {
      if (outgoing.length + incoming.length === 0) page.line('No links from or to this file.');
      for (const { target, line, file } of outgoing) {
        page.line(`→ ${file?.path ?? target}`, style.dim(` line ${line}${file === null ? ', no such file' : ''}`));
      }
      for (const { file, line, context } of incoming) page.line(`← ${file.path}:${line} `, style.dim(context));
    },
  }),
  command(operations.listUnresolved, {
    name: 'unresolved',
    defaults: { limit: 200 },
    print: ({ data, next_cursor }, page) => {
      if (data.length === 0 && next_cursor === null) page.line('No broken links.');
      for (const { target, from } of data) {
        page.line(target, style.dim(` in ${from.map(({ path, line }) => `${path}:${line}`).join(', ')}`));
      }
      printMore(next_cursor, page);
    },
  }),
];

/** Accepts a query of several words without quotes. */
function variadic(spec: CommandSpec): CommandSpec {
  return { ...spec, arguments: [{ name: 'query', summary: 'Words to find', variadic: true, optional: true }] };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ');
}
