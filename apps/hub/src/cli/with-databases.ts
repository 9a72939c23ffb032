import { holdfastHome } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';

import { Databases } from '../adapters/databases.ts';
import { server, tools } from '../mcp/tools.ts';

export async function withDatabases<T>(
  { env }: Pick<CommandContext, 'env'>,
  use: (databases: Databases) => Promise<T>,
): Promise<T> {
  const databases = new Databases(holdfastHome(env), env);
  try {
    return await use(databases);
  } finally {
    await databases.close({ processIsEnding: true });
  }
}

/** `holdfast mcp`: runs until standard input ends. */
export async function run(context: CommandContext): Promise<void> {
  await withDatabases(context, (databases) => serveTools(tools(databases, { name: 'agent' }), server));
}
