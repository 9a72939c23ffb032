import { roleNames } from '@holdfast/accounts';
import { accessMatrix, walk, type WalkingRole } from '@holdfast/http/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { openTestHub, temporaryHome, tokenHeaders } from '../../test/hub.ts';
import { loadApps } from '../apps.ts';
import type { Hub } from '../hub.ts';

/** The expected permissions of each role, deliberately not derived from the code. */
const readable = ['app:np:read', 'app:utask:read', 'app:codex:read', 'app:ringmaster:read', 'app:audiobooks:read'];
const writable = [
  'app:np:write',
  'app:utask:write',
  'app:codex:write',
  'app:ringmaster:write',
  'app:ringmaster-machines:write',
  'app:audiobooks:write',
];
const own = ['account:read', 'account:write', 'account:admin', ...readable];
const expectedPermissions: Readonly<Record<(typeof roleNames)[number], readonly string[]>> = {
  viewer: own,
  user: [...own, ...writable],
  admin: [
    ...own,
    ...writable,
    'app:audiobooks:admin',
    'app:codex:admin',
    'app:ringmaster:admin',
    'users:read',
    'users:admin',
    'system:read',
    'system:admin',
  ],
};

let hub: Hub;
let closeApps = (): Promise<void> => Promise.resolve();
const roles: WalkingRole[] = [{ name: 'nobody', headers: {}, permissions: undefined }];

beforeAll(async () => {
  const home = temporaryHome();
  const apps = await loadApps(home, {}, (what, error) => {
    throw new Error(what, { cause: error });
  });
  closeApps = async () => {
    for (const app of apps) await app.close();
  };
  hub = await openTestHub({ home, apps: apps.map(({ app }) => app) });
  for (const name of roleNames) {
    const headers = Object.fromEntries(await tokenHeaders(hub, name));
    roles.push({ name, headers, permissions: new Set(expectedPermissions[name]) });
  }
});

afterAll(() => closeApps());

it('every route answers every role as the table says', async () => {
  const steps = accessMatrix(hub.server.routes, roles);
  // DELETE and PATCH requests name objects that do not exist, so nothing changes.
  const seen = await Promise.all(steps.map(async (step) => ({ step, actual: await walk(hub.server, step) })));
  expect(steps.length).toBeGreaterThan(60);
  const wrong = seen
    .filter(({ step, actual }) => actual !== step.expected)
    .map(
      ({ step, actual }) =>
        `${step.role.name} ${step.entry.method} ${step.entry.path}: ${actual}, not ${step.expected}`,
    );
  expect(wrong).toEqual([]);
});

it('a token can do no more than it was made for', async () => {
  const headers = Object.fromEntries(await tokenHeaders(hub, 'admin', ['read']));
  const role: WalkingRole = {
    name: 'reader',
    headers,
    permissions: new Set(['account:read', 'users:read', 'system:read', ...readable]),
  };
  for (const step of accessMatrix(hub.server.routes, [role])) {
    expect(`${step.entry.method} ${step.entry.path}: ${await walk(hub.server, step)}`).toBe(
      `${step.entry.method} ${step.entry.path}: ${step.expected}`,
    );
  }
});

it('the token of a machine can only work on tasks that it claims', async () => {
  const headers = Object.fromEntries(await tokenHeaders(hub, 'admin', ['app:ringmaster-machines:write']));
  const permissions = new Set(['app:ringmaster-machines:write']);
  for (const step of accessMatrix(hub.server.routes, [{ name: 'machine', headers, permissions }])) {
    expect(`${step.entry.method} ${step.entry.path}: ${await walk(hub.server, step)}`).toBe(
      `${step.entry.method} ${step.entry.path}: ${step.expected}`,
    );
  }
});

it('an administrator of the server administers every application', async () => {
  const headers = await tokenHeaders(hub, 'admin');
  const me = await hub.server.request('/api/account/me', { headers });
  const { permissions } = (await me.json()) as { permissions: string[] };
  expect(permissions).toEqual(expect.arrayContaining(['app:codex:admin', 'app:np:admin', 'app:audiobooks:admin']));
});
