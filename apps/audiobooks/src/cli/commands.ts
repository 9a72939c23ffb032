import type { CommandSpec } from '@holdfast/cli';
import { browsing } from './books.ts';
import { data } from './data.ts';
import { fileCommands } from './files.ts';
import { managing } from './libraries.ts';
import { listening } from './listening.ts';
import { playlist } from './playlists.ts';

/** `holdfast audiobooks`, without its name and summary, which `holdfast` lists before it loads this. */
export const audiobookCommands: Omit<CommandSpec, 'name' | 'summary'> = {
  description:
    'Scan folders to find books. Changes to files can be previewed, survive a crash and can be undone, and listeners ' +
    'keep their position.',
  commands: [...browsing, ...listening, playlist, ...managing, ...fileCommands, ...data],
  examples: [
    { command: 'holdfast audiobooks scan ~/Audiobooks', summary: 'Start' },
    { command: 'holdfast audiobooks list --sort added', summary: 'New books first' },
    { command: 'holdfast audiobooks organise preview', summary: 'Which files would move where' },
  ],
};
