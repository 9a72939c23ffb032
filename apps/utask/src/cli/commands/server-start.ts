import { readFileSync, writeFileSync } from 'node:fs';
import type { CommandContext } from '@holdfast/cli';
import { holdfastHome } from '@holdfast/base';
import { configurationPath } from '../../adapters/configuration.ts';
import { runningServer, startServer } from '../../adapters/nats-server.ts';

interface Input {
  readonly options: { readonly port: number; readonly use: boolean };
}

export async function run({ options, env, out, note }: CommandContext<Input>): Promise<void> {
  const home = holdfastHome(env);
  const server = runningServer(home) ?? (await startServer(home, options.port));
  if (options.use) useFromNowOn(configurationPath(env), server.url);
  out.result(server, (page) => page.line(`nats-server ${server.pid} on ${server.url}`));
  if (options.use) note('From now on ut uses it.');
  else note(`To use it: export UTASK_NATS_URL=${server.url}, or start it with --use.`);
}

function useFromNowOn(path: string, url: string): void {
  let settings: Readonly<Record<string, unknown>> = {};
  try {
    settings = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    // There is none yet.
  }
  writeFileSync(path, `${JSON.stringify({ ...settings, url }, undefined, 2)}\n`, { mode: 0o600 });
}
