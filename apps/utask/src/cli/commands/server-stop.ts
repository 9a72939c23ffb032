import { holdfastHome } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { stopServer } from '../../adapters/nats-server.ts';

export async function run({ env, out }: CommandContext): Promise<void> {
  const server = await stopServer(holdfastHome(env));
  out.result(server ?? null, (page) => {
    page.line(server === undefined ? 'There is no server of ours.' : `nats-server ${server.pid} stopped`);
  });
}
