import { SECOND } from '@holdfast/base';
import { defineTool, type Tool } from '@holdfast/cli/mcp';
import { z } from 'zod';

import { codexErrors } from '../model/errors.ts';
import { notebookPath } from '../model/path.ts';
import { knownPath } from '../service/paths.ts';
import type { Request } from '../service/requests.ts';
import { fileAt } from '../store/files.ts';
import { folderAt } from '../store/folders.ts';
import { notebookFor, perform, type ToolContext } from './context.ts';
import { eventText } from './view.ts';

const notebook = z.string().optional();

export function writeTools(context: ToolContext): readonly Tool[] {
  return [writeTool(context), moveTool(context), waitTool(context)];
}

function writeTool(context: ToolContext): Tool {
  return defineTool({
    name: 'write',
    description: 'Create a text file, or replace one that you have read: base_hash says which version.',
    input: z.strictObject({
      path: z.string(),
      content: z.string(),
      notebook,
      base_hash: z.string().optional().describe('The hash that read gave; needed when the file exists'),
    }),
    call: async ({ path: asked, content, notebook: name, base_hash }) => {
      const chosen = notebookFor(context, name);
      const path = knownPath(context.codex.store.reader, chosen.id, asked);
      const known = fileAt(context.codex.store.reader, chosen.id, path);
      if (known !== undefined && base_hash === undefined) {
        throw codexErrors.FILE_EXISTS(`${path} exists already`, { hint: 'Read it, then write with its hash.' });
      }
      const bytes = Buffer.from(content);
      const request: Request =
        base_hash === undefined
          ? { type: 'create', path, content: bytes }
          : { type: 'update', file: { path }, content: bytes, base_hash };
      return eventText(await perform(context, chosen, request));
    },
  });
}

function moveTool(context: ToolContext): Tool {
  return defineTool({
    name: 'move',
    description: 'Move or rename a file or folder; links in other notes follow. Never overwrites.',
    input: z.strictObject({ path: z.string(), new_path: z.string(), notebook }),
    call: async ({ path: asked, new_path, notebook: name }) => {
      const chosen = notebookFor(context, name);
      const path = knownPath(context.codex.store.reader, chosen.id, asked);
      const dest_path = notebookPath(new_path);
      const isFolder = folderAt(context.codex.store.reader, chosen.id, path) !== undefined;
      const request: Request = isFolder
        ? { type: 'move_folder', path, dest_path }
        : { type: 'move', file: { path }, dest_path };
      return eventText(await perform(context, chosen, request));
    },
  });
}

function waitTool(context: ToolContext): Tool {
  return defineTool({
    name: 'wait',
    description: 'Wait for an event, or without one until everything asked for so far is committed to git.',
    input: z.strictObject({
      event: z.int().optional(),
      notebook,
      seconds: z.number().min(0).max(300).default(30),
    }),
    call: async ({ event, notebook: name, seconds }) => {
      if (event === undefined) {
        const chosen = notebookFor(context, name);
        return eventText(await perform(context, chosen, { type: 'batch_commit' }, seconds * SECOND));
      }
      const waited = await context.codex.wait(event, seconds * SECOND);
      if (waited === undefined) throw codexErrors.EVENT_NOT_FOUND(`There is no event ${event}`);
      const reason = waited.event.error_message === null ? '' : `\n${waited.event.error_message}`;
      return `${eventText(waited.event)}${reason}${waited.timedOut ? '\nnot done yet' : ''}`;
    },
  });
}
