import { type Tool, toolsFor } from '@holdfast/cli/mcp';

import type { Databases } from '../adapters/databases.ts';
import { createBackup, listBackups, listCommits, listDatabases, listKeys } from '../operations/databases.ts';

export function tools(databases: Databases): readonly Tool[] {
  const tool = toolsFor({ app: databases, name: 'agent', program: 'holdfast mcp' });
  return [
    tool(listDatabases, { name: 'databases' }),
    tool(listKeys, { name: 'keys' }),
    tool(listCommits, { name: 'commits' }),
    tool(listBackups, { name: 'backups' }),
    tool(createBackup, { name: 'backup' }),
  ];
}
