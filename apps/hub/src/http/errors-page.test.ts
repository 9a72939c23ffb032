import { hash } from 'node:crypto';

import { accountErrors } from '@holdfast/accounts';
import { httpErrors } from '@holdfast/http';
import { storeErrors } from '@holdfast/sqlite';
import { beforeAll, expect, it } from 'vitest';

import { ask, openTestHub, ORIGIN } from '../../test/hub.ts';
import type { Hub } from '../hub.ts';

let hub: Hub;
beforeAll(async () => {
  hub = await openTestHub();
});

const page = async () => {
  const response = await ask(hub, '/errors');
  return { response, text: await response.text() };
};

/** Returns what a browser would show for an address with a fragment. */
async function follow(address: URL): Promise<string | undefined> {
  const response = await ask(hub, address.pathname);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const id = address.hash.slice(1);
  return new RegExp(`<section id="${id}">(.*?)</section>`, 's').exec(await response.text())?.[1];
}

it.each([
  ['/api/account/me', 'UNAUTHENTICATED', 'HTTP 401'],
  ['/nowhere', 'ROUTE_NOT_FOUND', 'HTTP 404'],
  ['/api/auth/state?token=x', 'TOKEN_IN_URL', 'HTTP 400'],
])('the type of the problem at %s leads to its code', async (path, code, status) => {
  const problem = (await (await ask(hub, path)).json()) as { type: string; code: string };
  expect(problem.code).toBe(code);
  const shown = await follow(new URL(problem.type, `${ORIGIN}${path}`));
  expect(shown).toContain(code);
  expect(shown).toContain(status);
});

it('has every code once as an address, with its meaning and what to do', async () => {
  const { text } = await page();
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const table of [httpErrors, accountErrors, storeErrors]) {
    for (const { code } of Object.values(table)) expect(ids).toContain(code);
  }
  const { means, hint } = accountErrors.LAST_ADMIN.definition;
  expect(text).toContain(means);
  expect(text).toContain(hint);
});

it('shows what the server means where a command has the same code', async () => {
  const shown = await follow(new URL(`${ORIGIN}/errors#INTERNAL`));
  expect(shown).toContain(httpErrors.INTERNAL.definition.hint);
});

it('runs nothing and loads nothing but its own style', async () => {
  const { response, text } = await page();
  const policy = response.headers.get('content-security-policy');
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
  expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`);
  expect(policy).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|javascript:|(?:src|href)="(?!#)/i);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});
