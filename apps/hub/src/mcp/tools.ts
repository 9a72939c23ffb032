import { VERSION } from '@holdfast/base';
import { type ServerInfo, type Tool, type ToolCaller, toolsFor } from '@holdfast/cli/mcp';

import type { Databases } from '../adapters/databases.ts';
import { createBackup, listBackups, listCommits, listDatabases, listKeys } from '../operations/databases.ts';

export const server: ServerInfo = {
  name: 'holdfast',
  version: VERSION,
  instructions: 'State, keys, commits and backups of the Holdfast databases.',
};

export function tools(databases: Databases, caller: ToolCaller): readonly Tool[] {
  const tool = toolsFor({ app: databases, caller, program: 'holdfast mcp' });
  return [
    tool(listDatabases, { name: 'databases' }),
    tool(listKeys, { name: 'keys' }),
    tool(listCommits, { name: 'commits' }),
    tool(listBackups, { name: 'backups' }),
    tool(createBackup, { name: 'backup' }),
  ];
}
