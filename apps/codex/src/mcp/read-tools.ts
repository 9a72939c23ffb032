import { readPage } from '@holdfast/base';
import { commandLineErrors } from '@holdfast/cli';
import { defineTool, type Tool } from '@holdfast/cli/mcp';
import { z } from 'zod';

import { commitView } from '../git/commit-view.ts';
import { fileHistory, fileVersion, notebookHistory } from '../git/history.ts';
import { isText } from '../model/sniff.ts';
import { knownPath, pastPath } from '../service/paths.ts';
import { fileNamed, readContent } from '../service/read-files.ts';
import { listFiles } from '../store/files.ts';
import { listNotebooks } from '../store/notebooks.ts';
import { notebookFor, type ToolContext } from './context.ts';
import { commitText, filesText, historyText } from './view.ts';

const CHARACTERS_MAX = 100_000;
const LIST_DEFAULT = 200;
const LIST_MAX = 1_000;
const notebook = z.string().optional().describe('Name; not needed when there is only one');
const path = z.string().describe('Relative to the notebook: notes/today.md');

export function readTools(context: ToolContext): readonly Tool[] {
  return [listTool(context), readTool(context), historyTool(context)];
}

function listTool(context: ToolContext): Tool {
  return defineTool({
    name: 'list',
    description: 'Files of a notebook by path, or the notebooks when there are several and none is named.',
    input: z.strictObject({
      notebook,
      folder: z.string().optional().describe('Only below it'),
      after: z.string().optional().describe('Go on after this path'),
      limit: z.int().min(1).max(LIST_MAX).default(LIST_DEFAULT),
    }),
    call: async ({ notebook: name, folder, after, limit }) => {
      const { reader } = context.codex.store;
      const all = listNotebooks(reader);
      if (name === undefined && context.preferred === undefined && all.length !== 1) {
        return all.length === 0 ? 'No notebooks.' : all.map((each) => `notebook ${each.name}`).join('\n');
      }
      const { id } = notebookFor(context, name);
      const below = folder === undefined || folder === '' ? undefined : knownPath(reader, id, folder);
      const { data, next_cursor } = await readPage(
        limit,
        (count) => listFiles(reader, id, { folder: below, after, limit: count }),
        (last) => last.path,
      );
      return filesText(data, next_cursor !== null);
    },
  });
}

function readTool(context: ToolContext): Tool {
  return defineTool({
    name: 'read',
    description: 'A text file, now or at a commit, with the hash that write needs to replace it.',
    input: z.strictObject({
      path,
      notebook,
      commit: z.string().optional(),
      offset: z.int().min(0).default(0).describe('Characters to pass over'),
    }),
    call: async ({ path: asked, notebook: name, commit, offset }) => {
      const { codex } = context;
      const chosen = notebookFor(context, name);
      const place = pastPath(codex.store.reader, chosen.id, asked);
      if (commit !== undefined) {
        const version = await fileVersion(await codex.git.repository(chosen.id), place, commit);
        return shown(`${version.path} at ${version.sha}`, version.content, offset);
      }
      const row = fileNamed(codex.store.reader, chosen.id, place);
      return shown(`${row.path}\nhash: ${row.hash}`, await readContent(chosen, row.path), offset);
    },
  });
}

function shown(head: string, bytes: Uint8Array, offset: number): string {
  if (!isText(bytes)) throw commandLineErrors.TOOL_INPUT('This file is not text');
  const text = Buffer.from(bytes).toString('utf8');
  const part = text.slice(offset, offset + CHARACTERS_MAX);
  const end = offset + part.length;
  const where = offset === 0 && end === text.length ? '' : `\ncharacters ${offset} to ${end} of ${text.length}`;
  return `${head}${where}\n\n${part}`;
}

function historyTool(context: ToolContext): Tool {
  return defineTool({
    name: 'history',
    description: 'Commits of a file or of the whole notebook, the newest first; with commit, what that one changed.',
    input: z.strictObject({
      path: path.optional(),
      notebook,
      commit: z.string().optional(),
      limit: z.int().min(1).max(LIST_MAX).default(20),
    }),
    call: async ({ path: asked, notebook: name, commit, limit }) => {
      const { codex } = context;
      const { git } = codex;
      const { id } = notebookFor(context, name);
      const repository = await git.repository(id);
      if (commit !== undefined) return commitText(await commitView(repository, commit), CHARACTERS_MAX, asked);
      const range = { limit };
      return historyText(
        asked === undefined
          ? await notebookHistory(repository, range)
          : await fileHistory(repository, pastPath(codex.store.reader, id, asked), range),
      );
    },
  });
}
