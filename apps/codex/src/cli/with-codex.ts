import { join } from 'node:path';

import { holdfastHome } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';

import { settingsFrom } from '../model/settings.ts';
import { Codex } from '../service/codex.ts';
import type { Defaults } from '../service/context.ts';

/**
 * Opens codex for one command. If a server is running, the server processes the queue. Otherwise the command takes the
 * notebook's lane and releases it when the queue is empty.
 */
export async function withCodex<T>(
  { env }: Pick<CommandContext, 'env'>,
  use: (codex: Codex) => Promise<T>,
  defaults: Defaults = { folder: process.cwd() },
): Promise<T> {
  const home = holdfastHome(env);
  const codex = await Codex.open({
    home,
    databasePath: join(home, 'codex.db'),
    settings: settingsFrom(env),
    processIsEnding: true,
    defaults,
  });
  try {
    return await use(codex);
  } finally {
    await codex.close();
  }
}
