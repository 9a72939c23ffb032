import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appears, eventually, openBrowser, openTab, setUp } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

const MANY = 10_000;

let server: TestServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), openBrowser()]);
  const file = join(server.project, 'todo.txt');
  const days = (at: number): string => new Date(Date.UTC(1990, 0, 1 + at)).toISOString().slice(0, 10);
  writeFileSync(file, Array.from({ length: MANY }, (_, at) => `${days(at)} Task number ${at}\n`).join(''));
  server.run('ut', 'import', file);
  ({ page } = await openTab(browser));
  await setUp(page, server.setupUrl);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const task = (name: string) => page.getByRole('article', { name, exact: true });

describe('ten thousand tasks', () => {
  it('are read as one scrolls, and only those that are seen are in the page', async () => {
    await page.goto(`${server.url}/tasks`);
    await page.getByRole('button', { name: 'Open 10,000' }).waitFor();
    const list = page.getByRole('region', { name: 'Tasks' });
    await task('Task number 9999').waitFor();
    const { height } = (await list.getByRole('listitem').first().boundingBox()) ?? { height: 0 };
    for (const behind of [150, 350, 700]) {
      const wanted = task(`Task number ${MANY - 1 - behind}`);
      const scroll = async () => {
        await list.evaluate((element, top) => element.scrollTo(0, top), behind * height);
        return await wanted.isVisible();
      };
      await expect.poll(scroll, { timeout: 30_000, interval: 20 }).toBe(true);
    }
    expect(await page.getByRole('article').count()).toBeLessThan(60);
  });

  it('are gone through with the keyboard from where one is', async () => {
    await page.goto(`${server.url}/tasks`);
    await task('Task number 9999').waitFor();
    for (let step = 0; step < 40; step++) await page.keyboard.press('j');
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Task number 9960',
    );
    expect(await task('Task number 9960').isVisible()).toBe(true);
  });

  it('are searched as a whole, and one that is added elsewhere comes first', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('number 4217');
    await task('Task number 4217').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.getByLabel('Search tasks').fill('');
    await task('Task number 9999').waitFor();
    server.run('ut', 'add', 'The newest of all');
    await task('The newest of all').waitFor();
    expect(await page.getByRole('article').first().getAttribute('aria-label')).toBe('The newest of all');
    expect(await appears(page.getByRole('button', { name: 'Open 10,001' }))).toBe(true);
  });
});
