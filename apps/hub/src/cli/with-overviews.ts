import { join } from 'node:path';

import { holdfastHome, storeAddress } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import type { OpenedOverview } from '@holdfast/operation';

import { Databases } from '../adapters/databases.ts';
import type { Everything } from '../operations/overview.ts';

type Environment = CommandContext['env'];
type Opener = (home: string, env: Environment) => Promise<OpenedOverview>;

const openers: Readonly<Record<string, Opener>> = {
  np: async (home, env) =>
    (await import('@holdfast/np/overview')).openOverview(join(home, 'np.db'), storeAddress(home, env, 'np')),
  utask: async (_, env) => (await import('@holdfast/utask/overview')).openOverview(env),
  codex: async (home, env) => (await import('@holdfast/codex/overview')).openOverview(home, env),
  audiobooks: async (home, env) => (await import('@holdfast/audiobooks/overview')).openOverview(home, env),
  ringmaster: async (home) => (await import('@holdfast/ringmaster/overview')).openOverview(home),
};

/** Opens the applications that have data, without their background work. */
export async function withOverviews<T>(
  { env }: Pick<CommandContext, 'env'>,
  use: (everything: Everything) => Promise<T>,
): Promise<T> {
  const home = holdfastHome(env);
  const opened = new Map<string, OpenedOverview>();
  const existing: readonly string[] = new Databases(home, env).names();
  try {
    for (const [name, open] of Object.entries(openers)) {
      // ringmaster has a database per workspace, and ut's tasks may be on a NATS server.
      const isElsewhere = name === 'ringmaster' || name === 'utask';
      if (isElsewhere || existing.includes(name)) opened.set(name, await open(home, env));
    }
    return await use({ overviews: opened });
  } finally {
    for (const overview of opened.values()) await overview.close();
  }
}
