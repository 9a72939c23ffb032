import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { openAccounts, openAccountsKeyspace, type RoleName } from '@holdfast/accounts';
import { sqliteEngine } from '@holdfast/keyspace';

import { registerWorkspace } from '../../../apps/ringmaster/src/adapters/workspace.ts';
import { addProject } from '../../../apps/ringmaster/src/service/projects.ts';
import { generateLibrary } from '../../../bench/audiobooks/generated.ts';
import { openRingmasterAt } from './damage-subjects.ts';

/** A server in its own process, with data in all five applications and a user of each role. */
export interface ServedHome {
  readonly url: string;
  readonly pid: number;
  /** A folder that exists outside of the data home. */
  readonly workspace: string;
  readonly tokens: Readonly<Record<RoleName, string>>;
  readonly isRunning: () => boolean;
  memoryMiB(): number;
  stop(): Promise<void>;
}

export async function serveHome(home: string): Promise<ServedHome> {
  mkdirSync(home, { mode: 0o700 });
  const tokens = await createUsers(home);
  await (await generateLibrary(home, 'audiobooks', 20, () => undefined)).close();
  const workspace = join(home, '..', 'workspace');
  mkdirSync(join(workspace, '.ringmaster'), { recursive: true });
  const rm = await openRingmasterAt(workspace);
  await addProject(rm, { name: 'Test', id: 'test' });
  await rm.store.close();
  registerWorkspace(home, workspace);
  const program = join(import.meta.dirname, 'programs', 'holdfast.mjs');
  const child = spawn(process.execPath, [program, 'serve', '--json', '--port', '0'], {
    env: { ...process.env, HOLDFAST_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const { url } = await firstLine(child);
  return {
    url,
    pid: child.pid ?? 0,
    workspace,
    tokens,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    memoryMiB: () => Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024,
    async stop() {
      child.kill('SIGTERM');
      const isLate = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(isLate);
    },
  };
}

async function firstLine(child: ChildProcess): Promise<{ readonly url: string }> {
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line) as { url: string };
  throw new Error('the server ended before it listened');
}

async function createUsers(home: string): Promise<Record<RoleName, string>> {
  const keyspace = await openAccountsKeyspace(await sqliteEngine({ path: join(home, 'accounts.db') }));
  const accounts = await openAccounts({ keyspace });
  const owner = await accounts.createOwner({ username: 'owner' });
  const user = await accounts.createUser({ username: 'ada', roles: ['user'] });
  const viewer = await accounts.createUser({ username: 'vera', roles: ['viewer'] });
  const secretOf = async (userId: string): Promise<string> =>
    (await accounts.createToken({ userId, name: 'test', scopes: ['admin'] })).secret;
  const tokens = {
    admin: await secretOf(owner.id),
    user: await secretOf(user.id),
    viewer: await secretOf(viewer.id),
  };
  await accounts.settled();
  await keyspace.close();
  return tokens;
}
