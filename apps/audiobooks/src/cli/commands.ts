import { type CommandSpec, defineCommand } from '@holdfast/cli';
import { changing } from './spec/changing.ts';
import { data } from './spec/data.ts';
import { files } from './spec/files.ts';
import { listening } from './spec/listening.ts';
import { looking } from './spec/looking.ts';

/** What audiobooks adds to the holdfast command. */
export const audiobookCommands: readonly CommandSpec[] = [
  defineCommand({
    name: 'audiobooks',
    aliases: ['ab'],
    summary: 'An audiobook library that organises itself',
    description:
      'Scan folders, and books come of them. Whatever changes files can be looked at first, is finished or put back ' +
      'after a crash, and can be undone; nobody loses their place.',
    group: 'Applications',
    commands: [...looking, ...listening, ...files, ...changing, ...data],
    examples: [
      { command: 'holdfast audiobooks scan ~/Audiobooks', summary: 'Begin' },
      { command: 'holdfast audiobooks list --sort added', summary: 'What is new' },
      { command: 'holdfast audiobooks organise', summary: 'What would be moved where' },
    ],
  }),
];
