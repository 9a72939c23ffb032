import type { CommandSpec } from '@holdfast/cli';
import { browsing } from './books.ts';
import { chapters } from './chapters.ts';
import { data } from './data.ts';
import { fileCommands } from './files.ts';
import { managing } from './libraries.ts';
import { listening } from './listening.ts';
import { metadata } from './metadata.ts';
import { playlist } from './playlists.ts';

/**
 * The command `holdfast audiobooks`. Its name and summary are defined elsewhere, because `holdfast` lists them without
 * loading this file.
 */
export const audiobookCommands: Omit<CommandSpec, 'name' | 'summary'> = {
  description:
    'Scan folders to find books. You can preview and undo changes to files. After a crash, an interrupted change is ' +
    'completed or undone. Listeners keep their positions.',
  commands: [...browsing, ...listening, playlist, ...managing, ...fileCommands, chapters, ...metadata, ...data],
  examples: [
    { command: 'holdfast audiobooks scan ~/Audiobooks', summary: 'Scan a folder for books' },
    { command: 'holdfast audiobooks list --sort added', summary: 'List new books first' },
    { command: 'holdfast audiobooks organise preview', summary: 'Show which files would move where' },
  ],
};
