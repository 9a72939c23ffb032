import type { Tool } from '@holdfast/cli/mcp';

import type { ToolContext } from './context.ts';
import { readTools } from './read-tools.ts';
import { searchTool } from './search-tool.ts';
import { writeTools } from './write-tools.ts';

/** Seven tools and no more: each one costs every conversation its description. */
export function tools(context: ToolContext): readonly Tool[] {
  return [...readTools(context), searchTool(context), ...writeTools(context)];
}
