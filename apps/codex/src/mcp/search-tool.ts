import { defineTool, type Tool } from '@holdfast/cli/mcp';
import { z } from 'zod';

import { search } from '../service/search.ts';
import { listNotebooks } from '../store/notebooks.ts';
import { notebookFor, type ToolContext } from './context.ts';

export function searchTool(context: ToolContext): Tool {
  return defineTool({
    name: 'search',
    description:
      'Notes that have all these words, the best first, with the place they stand in; tags and path narrow it.',
    input: z.strictObject({
      query: z.string().max(1_000).default('').describe('Words, "a phrase", -without'),
      notebook: z.string().optional().describe('All if left out'),
      tags: z.array(z.string()).max(20).optional(),
      path: z.string().optional().describe('Only paths that begin so'),
      limit: z.int().min(1).max(100).default(10),
    }),
    call: async ({ query, notebook, tags, path, limit }) => {
      const { reader } = context.codex.store;
      const isOne = notebook !== undefined || context.preferred !== undefined;
      const chosen = isOne ? [notebookFor(context, notebook)] : listNotebooks(reader);
      const names = new Map(chosen.map(({ id, name }) => [id, name]));
      const { hits } = search(reader, [...names.keys()], { text: query, tags, path, limit });
      if (hits.length === 0) return 'Nothing was found.';
      return hits
        .map(({ file, snippet }) => {
          const where = names.size > 1 ? `${names.get(file.notebook_id) ?? ''}: ` : '';
          const text = snippet.map((part) => part.text).join('');
          return `${where}${file.path}\n  ${text.replaceAll(/\s+/gu, ' ').trim()}`;
        })
        .join('\n');
    },
  });
}
