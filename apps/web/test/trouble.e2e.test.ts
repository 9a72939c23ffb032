import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Connection } from '@holdfast/sqlite';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, eventually, openBrowser, openTab, setUp } from './browser.ts';
import { seed } from './seed.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  ({ page } = await openTab(browser));
  await setUp(page, server.setupUrl);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('a server that was killed', () => {
  it('is said to be gone; when it is back, the page goes on by itself and has missed nothing', async () => {
    await page.goto(`${server.url}/activity?text=Follow%20the%20stream`);
    await page.getByText('No matching commits').waitFor();
    await page.getByRole('button', { name: 'Live. Pause live updates' }).waitFor();
    await server.kill();
    await page.getByText('Reconnecting …').waitFor();
    expect(await appears(page.getByText('The server is unreachable'))).toBe(true);
    seed(server);
    await server.restart();
    await page.getByText(/^1 commit$/).waitFor();
    await page.getByText('Reconnecting …').waitFor({ state: 'detached' });
  });

  it('opens pages inside the app: those loaded in the background at once, others when it is back', async () => {
    const { page: other } = await openTab(browser, undefined, await page.context().storageState());
    const hasLoaded = (part: string): Promise<boolean> =>
      other.evaluate(
        (name) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(name)),
        part,
      );
    const link = (name: string) => other.getByRole('navigation').getByRole('link', { name, exact: true });
    await other.route(/\/assets\/queue-page-/u, (route) => route.abort());
    await other.goto(`${server.url}/account`);
    await eventually(() => hasLoaded('/assets/notebooks-page-')).toBe(true);
    // Waits until the files that the page imports have arrived too.
    let before = -1;
    const isQuiet = async (): Promise<boolean> => {
      const count = await other.evaluate(() => performance.getEntriesByType('resource').length);
      const isUnchanged = count === before;
      before = count;
      return isUnchanged;
    };
    await expect.poll(isQuiet, { interval: 500 }).toBe(true);
    await server.kill();
    await link('Notebooks').click();
    await other.getByRole('heading', { level: 1, name: 'Notebooks' }).waitFor();
    await link('Queue').click();
    await other.getByRole('status', { name: 'Loading' }).waitFor();
    expect(await link('Notebooks').isVisible()).toBe(true);
    await other.unroute(/\/assets\/queue-page-/u);
    await server.restart();
    await other.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
    await other.context().close();
  });

  it('does not lose what somebody was writing', async () => {
    await page.goto(`${server.url}/account`);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Name').fill('patience');
    await server.kill();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('alert').getByText('UNREACHABLE').waitFor();
    await server.restart();
    await page.getByText('Reconnecting …').waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    expect(await appears(page.getByText('Copy the token now'))).toBe(true);
  });
});

describe('a full disk', () => {
  it('is explained, loses nothing, and is over when there is room again', async () => {
    await page.goto(`${server.url}/account`);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Name').fill('thrift');
    server.fillDisk();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Could not create the token' });
    expect(await appears(toast.getByText(/^STORE_(?:FULL|IO)$/))).toBe(true);
    server.freeDisk();
    await toast.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    expect(await appears(page.getByText('Copy the token now'))).toBe(true);
  });
});

describe('a database that another program keeps locked', () => {
  it('can be read; a write is refused with the reason, and works later', async () => {
    const other = new Connection(join(server.home, 'accounts.db'));
    other.exec('BEGIN IMMEDIATE');
    await page.goto(`${server.url}/account`);
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Name').fill('patience');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Could not create the token' });
    await toast.waitFor();
    expect(await appears(toast.getByText('STORE_BUSY'))).toBe(true);
    expect(await appears(toast.getByText(/[Tt]ry again/))).toBe(true);
    other.exec('ROLLBACK');
    other.close();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    expect(await appears(page.getByText('Copy the token now'))).toBe(true);
  });
});

describe('a session that was ended elsewhere', () => {
  it('leads to the sign-in page, and back', async () => {
    await page.goto(`${server.url}/account`);
    await page.getByText('This session').waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/users');
  });
});

describe('a database that cannot be used', () => {
  it('is shown with the reason, and the rest goes on working', async () => {
    await server.kill();
    const path = join(server.home, 'codex.db');
    for (const beside of ['-wal', '-shm']) rmSync(path + beside, { force: true });
    writeFileSync(path, 'This is not a database, and never was one. '.repeat(100));
    await server.restart();
    const { page: other } = await openTab(browser);
    await other.goto(`${server.url}/sign-in?next=/system`);
    await other.getByLabel('User name or e-mail').fill('ada');
    await other.getByLabel('Password').fill('correct horse battery staple');
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('Unavailable').waitFor();
    expect(await appears(other.getByRole('region', { name: 'Restore points' }).getByText(/^#\d+$/u))).toBe(true);
    await other.context().close();
  });
});
