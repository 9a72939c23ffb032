import { holdfastHome } from '@holdfast/base';
import type { CommandContext } from '@holdfast/cli';
import { serveTools } from '@holdfast/cli/mcp';
import type { OutputOf } from '@holdfast/operation';
import { configurationPath, readConfiguration, writeConfiguration } from '../adapters/configuration.ts';
import { runningServer, startServer, stopServer } from '../adapters/nats-server.ts';
import { server as mcpServer, tools } from '../mcp/tools.ts';
import type { showStatus } from '../operations/tasks.ts';
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
      `ut uses this server from now on. 'ut move --embedded --to ${server.url}' copies the tasks on this machine to it.`,
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
  await withUtask(context, async ({ utask }, { home }) => {
    const server = runningServer(home) ?? null;
    const facts = await utask.status();
    context.out.result({ ...facts, server }, (page) => {
      page.fields([
        ['tasks', facts.where],
        ['guarantee', facts.durability],
        ...facts.replication.map((bucket) => [bucket.bucket, replicationText(bucket)] as const),
        ['own server', server === null ? 'not running' : `${server.url}, process ${server.pid}`],
      ]);
      page.lines(facts.lacks.map((lack) => `limitation: ${lack}`));
    });
  });
}

type Replication = OutputOf<typeof showStatus>['replication'][number];

/** Returns a text such as `3 replicas, leader n1, n2 is current, n3 lacks 6 changes`. */
function replicationText({ replicas, leader, followers }: Replication): string {
  const others = followers.map(({ name, is_current: isCurrent, lag }) =>
    isCurrent ? `${name} is current` : `${name} lacks ${lag === 0 ? 'some' : lag} changes`,
  );
  if (leader === null) return replicas === 1 ? '1 replica' : `${replicas} replicas, no leader`;
  return [`${replicas} replica${replicas === 1 ? '' : 's'}`, `leader ${leader}`, ...others].join(', ');
}

/** Serves until standard input ends. */
export async function serveMcp(context: CommandContext<{ readonly options: UtaskContext['options'] }>): Promise<void> {
  await withUtask(context, (host) => serveTools(tools(host, { name: 'agent' }), mcpServer, { isOrdered: true }));
}
