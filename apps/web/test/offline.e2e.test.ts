import { copyFileSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { sound } from '../../audiobooks/test/fixtures.ts';
import { appears, eventually, openBrowser, openTab, owner, setUp } from './browser.ts';
import { judgeGlance } from './judge.ts';
import { ask, listedBooks, positionOf } from './listening-lab.ts';
import { startServer, type TestServer } from './server.ts';

let server: TestServer;
let browser: Browser;
let page: Page;
let book: string;

const phone = { width: 390, height: 844, scheme: 'light', hasServiceWorker: true } as const;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  ({ page } = await openTab(browser, phone));
  const folder = join(server.project, 'library', 'Ann Author', 'Short Walk');
  mkdirSync(folder, { recursive: true });
  const tags = { album: 'Short Walk', album_artist: 'Ann Author' };
  for (const at of [1, 2]) {
    const file = sound('mp3', { seconds: 30, frequency: 300 + at * 50, tags: { ...tags, track: String(at) } });
    copyFileSync(file, join(folder, `${at}.mp3`));
  }
  server.run('holdfast', 'audiobooks', 'scan', join(server.project, 'library'));
  server.run('ut', 'add', 'Water the plants');
  await setUp(page, server.setupUrl);
  await page.evaluate(() => navigator.serviceWorker.ready);
  book = (await listedBooks(page))[0]?.id ?? '';
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const task = (text: string) => page.locator('main').getByText(text, { exact: true });

describe('on a phone', () => {
  it('the dashboard can be installed', async () => {
    const client = await page.context().newCDPSession(page);
    const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
    // Test browsers run in incognito mode, which cannot install anything. So this error is expected.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
    await client.detach();
  });

  it('pages open without the server and show the last data; changes arrive when it is back', async () => {
    await page.goto(`${server.url}/tasks`);
    await task('Water the plants').waitFor();
    await server.kill();
    await page.reload();
    await task('Water the plants').waitFor();
    expect(await appears(page.getByText('Offline.', { exact: true }))).toBe(true);
    await page.goto(`${server.url}/books`);
    await page.getByRole('heading', { level: 1, name: 'Audiobooks' }).waitFor();
    server.run('ut', 'add', 'Feed the cat');
    await page.goto(`${server.url}/tasks`);
    await task('Water the plants').waitFor();
    await server.restart();
    await task('Feed the cat').waitFor();
    await page.getByText('Offline.', { exact: true }).waitFor({ state: 'detached' });
  });

  it('a downloaded book plays without the server, also after a reload, and the position is sent later', async () => {
    await page.goto(`${server.url}/books/${book}`);
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('button', { name: 'Remove download' }).waitFor();
    await server.kill();
    await page.goto(`${server.url}/books`);
    const shelf = page.getByRole('region', { name: 'On this device' });
    await shelf.waitFor();
    await judgeGlance(page, 'offline-books');
    await page.setViewportSize(phone);
    await shelf.getByRole('button', { name: 'Play Short Walk' }).click();
    await page.getByRole('button', { name: /Open player$/u }).click();
    await eventually(() => positionOf(page)).toBeGreaterThan(0);
    await page.getByRole('slider', { name: 'Position' }).first().fill('40000');
    await eventually(() => positionOf(page)).toBeGreaterThan(41_000);
    const dialog = page.getByRole('dialog', { name: 'Now playing' });
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    const at = await positionOf(page);
    await page.reload();
    await page.getByRole('button', { name: /Open player$/u }).click();
    await eventually(() => positionOf(page)).toBe(at);
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Close player' }).click();
    await server.restart();
    await page.reload();
    const reported = async () => (await ask<{ position_ms: number } | null>(page, `/progress/${book}`))?.position_ms;
    await expect.poll(async () => Math.abs(((await reported()) ?? 0) - at)).toBeLessThan(1_000);
  });

  it('a new version of the dashboard is shown at once', async () => {
    await server.kill();
    const newVersion = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>The new dashboard</h1>');
    }).listen(Number(new URL(server.url).port), '127.0.0.1');
    await once(newVersion, 'listening');
    await page.goto(`${server.url}/tasks`);
    expect(await appears(page.getByRole('heading', { name: 'The new dashboard' }))).toBe(true);
    newVersion.closeAllConnections();
    newVersion.close();
    await once(newVersion, 'close');
    await server.restart();
  });

  it('signing out deletes everything that the device stored', async () => {
    await page.goto(`${server.url}/tasks`);
    await task('Water the plants').waitFor();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const stored = await page.evaluate(async () => {
      const names = (await caches.keys()).filter((name) => /holdfast-(?:data|books)/u.test(name));
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(stored.filter((path) => path !== '/api/auth/state')).toEqual([]);
    await server.kill();
    await page.goto(`${server.url}/tasks`);
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    expect(await page.getByText('Water the plants').count()).toBe(0);
    await server.restart();
    await page.reload();
    await page.getByLabel('User name or e-mail').fill(owner.username);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await appears(task('Water the plants'))).toBe(true);
  });
});
