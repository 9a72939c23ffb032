import { serverAddress } from '@holdfast/cli';
import { type RouteAddress, type RemoteCall, runRemotely } from '@holdfast/http/remote';
import type { AnyOperation, OutputOf } from '@holdfast/operation';

import { canonicalDirectory } from '../adapters/files.ts';
import { routeAddresses } from '../http/route-addresses.ts';
import { npErrors } from '../model/errors.ts';
import { withParents } from '../model/ids.ts';
import { archiveSession, exportSession, listSessions, startSession } from '../operations/sessions.ts';
import type { TargetOptions } from './command.ts';

type Given = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string | undefined>>;
type Run = (operation: AnyOperation, given: Given) => Promise<unknown>;

/** Runs operations on the plans on the server that `--server` names, through its HTTP interface. */
export function remoteRun(options: TargetOptions, env: Environment): Run {
  const server = serverOf(options.server ?? '', env);
  const call = (operation: AnyOperation, given: Given, more: Partial<RemoteCall> = {}) =>
    runRemotely(operation, routeOf(operation), given, { ...server, ...more });
  return async (operation, given) => {
    // `elsewhere` tells the server not to look for the directory, because it is on this machine.
    if (operation === startSession) {
      return call(operation, { ...given, directory: canonicalDirectory(options.dir), elsewhere: true });
    }
    const isOfSession = routeOf(operation).path.includes('{sid}');
    if (!isOfSession || given['sid'] !== undefined) return call(operation, given);
    const wanted = operation === archiveSession && given['undo'] === true ? 'archived' : 'active';
    const sid = options.session ?? (await sessionHere(call, canonicalDirectory(options.dir), wanted));
    return call(operation, given, {
      params: { sid },
      ...(operation === exportSession ? { query: { format: 'json' } } : {}),
    });
  };
}

/** Throws for a command that works only on a local database. */
export function requireLocal({ server }: TargetOptions, command: string): void {
  if (server !== undefined) throw npErrors.NEEDS_LOCAL_PLAN(`'${command}' does not work with --server.`);
}

function routeOf(operation: AnyOperation): RouteAddress {
  const found = Object.entries(routeAddresses).find(([name]) => name === operation.name);
  if (found === undefined) {
    throw npErrors.NEEDS_LOCAL_PLAN('This command does not work with --server.');
  }
  return found[1];
}

/** Finds the session of this directory or of the nearest parent that has one, as a local command does. */
async function sessionHere(call: Run, directory: string, state: 'active' | 'archived'): Promise<string> {
  const pages = await Promise.all(
    withParents(directory).map(
      (dir) => call(listSessions, { dir, state, limit: 1 }) as Promise<OutputOf<typeof listSessions>>,
    ),
  );
  const sid = pages.flatMap(({ data }) => data)[0]?.session.sid;
  if (sid === undefined) throw npErrors.NO_SESSION('No active session for this directory.');
  return sid;
}

function serverOf(address: string, env: Environment): RemoteCall {
  return { baseUrl: `${serverAddress(address)}/api/np`, token: env['HOLDFAST_TOKEN'] || undefined };
}
