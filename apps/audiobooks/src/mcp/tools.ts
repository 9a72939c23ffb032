import { VERSION } from '@holdfast/base';
import { type ServerInfo, type Tool, type ToolCaller, toolsFor } from '@holdfast/cli/mcp';
import * as books from '../operations/books.ts';
import { scanLibrary } from '../operations/files.ts';
import { showSeries } from '../operations/groups.ts';
import { listLibraries } from '../operations/libraries.ts';
import { listOperations } from '../operations/operations.ts';
import * as playlists from '../operations/playlists.ts';
import * as progress from '../operations/progress.ts';
import { showStatistics } from '../operations/statistics.ts';
import type { Audiobooks } from '../service/audiobooks.ts';

export const server: ServerInfo = {
  name: 'audiobooks',
  version: VERSION,
  instructions: 'A library of audiobooks: find books, see and set listening progress, manage playlists.',
};

/** Offers few tools with few fields, because a model reads every description in every conversation. */
export function tools(audiobooks: Audiobooks, caller: ToolCaller): readonly Tool[] {
  const tool = toolsFor({ app: audiobooks, caller, program: 'audiobooks mcp' });
  const hidden = ['cursor'] as const;
  return [
    tool(books.search, { name: 'search' }),
    tool(books.listBooks, { name: 'list_books', omit: ['q', 'library', 'work', 'order'] }),
    tool(books.showBook, { name: 'show_book' }),
    tool(books.editBook, {
      name: 'edit_book',
      omit: ['lock', 'unlock', 'locks', 'keep_open', 'work_id', 'if_revision'],
    }),
    tool(books.showShelves, { name: 'what_next' }),
    tool(showSeries, { name: 'show_series' }),
    tool(progress.listProgress, { name: 'list_progress', omit: hidden }),
    tool(progress.setProgress, { name: 'set_progress', omit: ['if_revision'] }),
    tool(progress.listBookmarks, { name: 'list_bookmarks', omit: hidden }),
    tool(progress.addBookmark, { name: 'add_bookmark', omit: ['generation'] }),
    tool(playlists.listPlaylists, { name: 'list_playlists', omit: ['book', 'cursor'] }),
    tool(playlists.showPlaylist, { name: 'show_playlist' }),
    tool(playlists.createPlaylist, { name: 'create_playlist' }),
    tool(playlists.addItems, { name: 'add_to_playlist', omit: ['if_revision'] }),
    tool(showStatistics, { name: 'statistics' }),
    tool(listLibraries, { name: 'list_libraries' }),
    tool(scanLibrary, { name: 'scan_library' }),
    tool(listOperations, { name: 'list_operations', omit: hidden }),
  ];
}
