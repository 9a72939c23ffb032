import { holdfastHome } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { serveToolsInOrder } from '@holdfast/cli/mcp';
import { configurationPath, readConfiguration, writeConfiguration } from '../adapters/configuration.ts';
import { runningServer, startServer, stopServer } from '../adapters/nats-server.ts';
import { tools } from '../mcp/tools.ts';
import type { UtaskContext } from './command.ts';
import { withUtask } from './with-utask.ts';

interface StartInput {
  readonly options: { readonly port: number; readonly use: boolean };
}

export async function start({ options, env, out, note }: CommandContext<StartInput>): Promise<void> {
  const home = holdfastHome(env);
  const path = configurationPath(env);
  // Reads the file first: if it cannot be parsed, nothing may overwrite it.
  const settings = readConfiguration(path);
  const server = runningServer(home) ?? (await startServer(home, options.port));
  if (options.use) writeConfiguration(path, { ...settings, url: server.url });
  out.result(server, (page) => page.line(`nats-server ${server.pid} on ${server.url}`));
  if (options.use) {
    note(
      `ut uses this server from now on. 'ut move --embedded --to ${server.url}' copies the tasks of this machine to it.`,
    );
  } else note(`To use it: export UTASK_NATS_URL=${server.url}, or start it with --use.`);
}

export async function stop({ env, out }: CommandContext): Promise<void> {
  const server = await stopServer(holdfastHome(env));
  out.result(server ?? null, (page) => {
    page.line(server === undefined ? 'ut has not started a server.' : `nats-server ${server.pid} stopped`);
  });
}

/** Shows the store in use, and the server that `ut server start` started. */
export async function status(context: CommandContext<{ readonly options: UtaskContext['options'] }>): Promise<void> {
  await withUtask(context, async ({ utask: { facts } }, { home }) => {
    const server = runningServer(home) ?? null;
    context.out.result({ ...facts, server }, (page) => {
      page.fields([
        ['tasks', facts.where],
        ['guarantee', facts.durability],
        ['own server', server === null ? 'not running' : `${server.url}, process ${server.pid}`],
      ]);
      page.lines(facts.lacks.map((lack) => `limitation: ${lack}`));
    });
  });
}

const INFO = {
  name: 'utask',
  version: '0.1.0',
  instructions:
    'A small task list shared with people and other machines. List tasks before you add one; mark finished tasks as done.',
} as const;

/** Serves until standard input ends. */
export async function serveMcp(context: CommandContext<{ readonly options: UtaskContext['options'] }>): Promise<void> {
  await withUtask(context, (host) => serveToolsInOrder(context.stdin.lines(), context.out.raw, tools(host), INFO));
}
