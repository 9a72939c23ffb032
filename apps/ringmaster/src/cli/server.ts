/** `ringmaster run --server`: works on the tasks of a server. */
import { commandLineErrors, serverAddress } from '@holdfast/cli';
import { MINUTE, SECOND } from '@holdfast/base';
import { type RouteAddress, runRemotely } from '@holdfast/http/remote';
import type { AnyOperation } from '@holdfast/operation';

import { machineName } from '../adapters/workspace.ts';
import { machineAddresses } from '../http/route-addresses.ts';
import * as machines from '../operations/machines.ts';
import type { Ringmaster } from '../service/ringmaster.ts';
import {
  bindToServer,
  forServer,
  type MachineServer,
  ServerTasks,
  type ServerTasksOptions,
} from '../service/run/server-tasks.ts';

export interface ServerOptions extends Omit<ServerTasksOptions, 'server' | 'binding'> {
  readonly server: string;
  readonly workspace: string | undefined;
  readonly token: string | undefined;
}

/**
 * Returns the workspace with the settings for the server's tasks, and a task source that gets tasks from the server.
 */
export async function tasksOfServer(
  rm: Ringmaster,
  { server, workspace, token, ...options }: ServerOptions,
): Promise<{ readonly rm: Ringmaster; readonly source: ServerTasks }> {
  if (workspace === undefined) throw commandLineErrors.INVALID_ARGUMENT('--server needs --workspace.');
  const url = serverAddress(server);
  const binding = await bindToServer(rm, { url, workspace, machine: machineName() });
  const own = forServer(rm);
  const calls = serverCalls(`${url}/api/ringmaster`, workspace, token);
  return { rm: own, source: new ServerTasks(own, { ...options, server: calls, binding }) };
}

/**
 * Longest wait for the reply to a claim or report. Before it replies, the server pushes to its remote repository or
 * fetches from it.
 */
const TRANSFER_MAX = 5 * MINUTE;
const OUTPUT_MAX = 30 * SECOND;

function serverCalls(baseUrl: string, workspace: string, token: string | undefined): MachineServer {
  const call = <T>(operation: AnyOperation, address: RouteAddress, input: object, timeoutMs: number): Promise<T> =>
    runRemotely(operation, address, input, {
      baseUrl,
      token,
      params: { workspace },
      fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(Math.ceil(timeoutMs)) }),
    }) as Promise<T>;
  return {
    claim: (input) => call(machines.claimForMachine, machineAddresses.claim, input, TRANSFER_MAX),
    heartbeat: (input, timeoutMs) => call(machines.heartbeatOfMachine, machineAddresses.heartbeat, input, timeoutMs),
    output: (input) => call(machines.outputOfMachine, machineAddresses.output, input, OUTPUT_MAX),
    finish: (input) => call(machines.finishForMachine, machineAddresses.finish, input, TRANSFER_MAX),
  };
}
