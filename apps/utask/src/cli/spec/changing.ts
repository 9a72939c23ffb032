import { defineCommand } from '@holdfast/cli';
import { sharedOptions } from './shared.ts';
import { completeTag, prefix, prefixes } from './arguments.ts';

const inherits = sharedOptions;

export const changing = [
  defineCommand({
    name: 'add',
    aliases: ['create'],
    summary: 'Add a task, or one for each line of standard input',
    arguments: [{ name: 'text', summary: 'What is to be done; - for standard input', optional: true, variadic: true }],
    options: {
      tag: {
        type: 'string',
        summary: 'A tag; may be given several times',
        short: 't',
        multiple: true,
        complete: completeTag,
      },
      title: { type: 'string', summary: 'The text, as upstream calls it', hidden: true },
    },
    inherits,
    examples: [
      { command: 'ut add "Buy milk" -t errand -t shopping', summary: 'A task with two tags' },
      { command: 'ut add -t someday < ideas.txt', summary: 'One task for each line' },
    ],
    load: () => import('../commands/add.ts'),
  }),
  defineCommand({
    name: 'done',
    aliases: ['close'],
    summary: 'Mark tasks as done',
    arguments: [prefixes],
    inherits,
    examples: [{ command: 'ut done 2f8c8a3c', summary: 'The task whose id begins like this' }],
    load: () => import('../commands/done.ts'),
  }),
  defineCommand({
    name: 'reopen',
    summary: 'Mark tasks as not done',
    arguments: [prefixes],
    inherits,
    load: () => import('../commands/reopen.ts'),
  }),
  defineCommand({
    name: 'edit',
    aliases: ['update'],
    summary: 'Change the text or the tags of a task',
    arguments: [prefix],
    options: {
      text: { type: 'string', summary: 'The new text' },
      tag: { type: 'string', summary: 'Add a tag', short: 't', multiple: true, complete: completeTag },
      untag: { type: 'string', summary: 'Remove a tag', multiple: true, complete: completeTag },
      tags: { type: 'string', summary: 'Replace all tags by these', value: 'a,b', complete: completeTag },
      title: { type: 'string', summary: 'The text, as upstream calls it', hidden: true },
      done: { type: 'boolean', summary: 'Mark it as done too', hidden: true },
    },
    inherits,
    examples: [{ command: 'ut edit 2f8c8a3c --tag urgent --untag someday', summary: 'Change tags' }],
    load: () => import('../commands/edit.ts'),
  }),
  defineCommand({
    name: 'rm',
    aliases: ['delete'],
    summary: 'Delete tasks',
    arguments: [prefixes],
    inherits,
    examples: [{ command: 'ut rm a1b204e7', summary: "'ut undo' brings it back" }],
    load: () => import('../commands/remove.ts'),
  }),
  defineCommand({
    name: 'undo',
    summary: 'Take back the last change made from here, or of one task',
    description:
      'Without an id, what the last command on this machine changed is made what it was before, unless somebody else ' +
      'changed it since. The last 16 states of each task are kept. Undoing twice brings the change back.',
    arguments: [{ ...prefix, optional: true }],
    options: { to: { type: 'integer', summary: 'Go back to this revision of ut log', value: 'revision', min: 1 } },
    inherits,
    load: () => import('../commands/undo.ts'),
  }),
] as const;
