import { type CommandSpec, defineCommand } from '@holdfast/cli';

import { shared } from './shared.ts';

/** Commands about what the notes say. */
export const finding: readonly CommandSpec[] = [
  defineCommand({
    name: 'search',
    summary: 'Find notes by words, tags, properties, path and time',
    description:
      'Words may be beginnings of words. "A phrase", -without, tag:x, path:x, title:x, after:2026-01-01, before:x and ' +
      'name:value for any property narrow it. Without --notebook all notebooks are searched.',
    arguments: [{ name: 'words', summary: 'What to look for', variadic: true, optional: true }],
    options: {
      tag: { type: 'string', summary: 'Only notes with this tag', value: 'tag', multiple: true },
      property: { type: 'string', summary: 'Only notes with this property', value: 'name:value', multiple: true },
      path: { type: 'string', summary: 'Only paths that begin like this', value: 'path' },
      limit: { type: 'integer', summary: 'How many at most', default: 20, min: 1, max: 200 },
    },
    inherits: shared,
    examples: [
      { command: 'holdfast codex search boil --tag lab', summary: 'Boiling and boiled, in notes about the laboratory' },
      { command: "holdfast codex search 'status:open -tag:later'", summary: 'What is still to be done' },
    ],
    load: () => import('../commands/search.ts'),
  }),
  defineCommand({
    name: 'tags',
    summary: 'Show the tags of a notebook, the most used first',
    inherits: shared,
    load: () => import('../commands/tags.ts'),
  }),
  defineCommand({
    name: 'set',
    summary: 'Set properties of a file, and nothing else of it',
    description: 'Values are read as JSON when they are, else as text: done=true, tags=["a","b"], status=open.',
    arguments: [
      { name: 'path', summary: 'Path in the notebook' },
      { name: 'properties', summary: 'name=value; name= takes it away', variadic: true },
    ],
    inherits: shared,
    examples: [{ command: 'holdfast codex set runs/1.md status=done', summary: 'In the lines at its beginning' }],
    load: () => import('../commands/set.ts'),
  }),
  defineCommand({
    name: 'reindex',
    summary: 'Make search, tags, properties and links again from the files',
    arguments: [{ name: 'notebook', summary: 'Name or number', optional: true }],
    inherits: shared,
    load: () => import('../commands/reindex.ts'),
  }),
];
