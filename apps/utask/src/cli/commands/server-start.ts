import type { CommandContext } from '@holdfast/cli';
import { holdfastHome } from '@holdfast/base';
import { configurationPath, readConfiguration, writeConfiguration } from '../../adapters/configuration.ts';
import { runningServer, startServer } from '../../adapters/nats-server.ts';

interface Input {
  readonly options: { readonly port: number; readonly use: boolean };
}

export async function run({ options, env, out, note }: CommandContext<Input>): Promise<void> {
  const home = holdfastHome(env);
  const path = configurationPath(env);
  // Read first: settings that cannot be understood must not be replaced by ours.
  const settings = readConfiguration(path);
  const server = runningServer(home) ?? (await startServer(home, options.port));
  if (options.use) writeConfiguration(path, { ...settings, url: server.url });
  out.result(server, (page) => page.line(`nats-server ${server.pid} on ${server.url}`));
  if (options.use)
    note(`From now on ut uses it. Tasks of this machine are brought there by 'ut move --embedded --to ${server.url}'.`);
  else note(`To use it: export UTASK_NATS_URL=${server.url}, or start it with --use.`);
}
