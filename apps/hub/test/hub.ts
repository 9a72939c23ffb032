import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { RoleName } from '@holdfast/accounts';
import { createLogger } from '@holdfast/http';
import { afterAll } from 'vitest';

import { type Hub, type HubOptions, openHub } from '../src/hub.ts';

const folders: string[] = [];
const hubs: Hub[] = [];
let users = 0;

export const PASSWORD = 'correct horse battery staple';
export const ORIGIN = 'http://localhost';

export function temporaryHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-hub-'));
  folders.push(folder);
  return join(folder, 'home');
}

/** Opens a hub with its own home. It does not listen on a port; tests send requests to it directly. */
export async function openTestHub(options: Partial<HubOptions> = {}): Promise<Hub> {
  const logger = createLogger({ level: 'silent' });
  const hub = await openHub({ home: temporaryHome(), origins: [ORIGIN], logger, ...options });
  hubs.push(hub);
  return hub;
}

afterAll(async () => {
  await Promise.all(
    hubs.splice(0).map((hub) => {
      hub.server.dispose();
      return hub.close();
    }),
  );
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Returns request headers with a token for a new user who has this role. */
export async function tokenHeaders(hub: Hub, role: RoleName, scopes: readonly string[] = ['admin']): Promise<Headers> {
  await hub.accounts.ensureOwner({ username: 'owner' });
  const user = await hub.accounts.createUser({
    username: `${role}-${(users += 1)}`,
    roles: [role],
  });
  const { secret } = await hub.accounts.createToken({ userId: user.id, name: 'test', scopes });
  return new Headers({ authorization: `Bearer ${secret}` });
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Headers | Readonly<Record<string, string>>;
}

export async function ask(hub: Hub, path: string, { method = 'GET', body, headers }: Asked = {}): Promise<Response> {
  const all = new Headers(headers);
  all.set('origin', ORIGIN);
  if (body !== undefined) all.set('content-type', 'application/json');
  return hub.server.request(`${ORIGIN}${path}`, {
    method,
    headers: all,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export function cookieOf(response: Response, name = 'holdfast_session'): string | undefined {
  const set = response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
  return set?.split(';')[0];
}
